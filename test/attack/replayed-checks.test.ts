// A repeated webhook must not repeat a request made with a check's button, or in a merge queue.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { rotateKeys } from '../../src/flow/upkeep/rotate-keys.ts'
import { Postponed } from '../../src/queue/work.ts'
import { createSealer, type Sealer } from '../../src/secrets/seal.ts'
import { type Example, exampleOf, openDoor } from '../bot/door.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)
const codehost = memoryCodehost()
const deliver = await openDoor(db, testContext(db, { codehost }))
const month = 31 * 24 * 60 * 60

interface CheckPayload extends Example {
  check_run: { head_sha: string; name: string; external_id: string }
  sender: { login: string }
}
const pressed = exampleOf('check_run', 'requested_action') as CheckPayload
const again = {
  ...(exampleOf('check_run', 'rerequested') as CheckPayload),
  repository: pressed.repository,
}
const sha = 'd'.repeat(40)

let repository: Repository

beforeEach(async () => {
  for (const { sender } of [pressed, again]) {
    codehost.roles.set(sender.login, { pull: true, push: true, admin: false })
  }
  repository = await make.repository({ codehost_id: pressed.repository?.id ?? 0 })
})

const records = async () =>
  (await db.selectFrom('audit_records').select('action').execute()).map(({ action }) => action)

const repeats = { result: 'ignored', outcome: expect.stringMatching(/^duplicate of webhook /) }

/** A build of a fork's pull request that waits, and the webhook of the button that approves it. */
async function waitingBuild() {
  const pull = await make.pullRequest(repository, { head_sha: sha, head_repository_codehost_id: 1 })
  const build = await make.build({
    ...{ repository, event_type: 'pull_request', pull_request_id: pull.id },
    waits_for_approval: true,
  })
  await make.job({ build })
  await db
    .updateTable('requests')
    .set({ pull_request_id: pull.id, head_commit: sha, base_ref: 'main', from_fork: true })
    .where('id', '=', build.request_id)
    .execute()
  const external_id = String(build.request_id)
  return {
    ...pressed,
    check_run: { ...pressed.check_run, name: 'service/config', head_sha: sha, external_id },
    requested_action: { identifier: 'approve' },
  }
}

test('a replayed webhook does not repeat an approval that has ended', async () => {
  const press = await waitingBuild()
  expect(await deliver('check_run', press)).toMatchObject({ result: 'noted' })
  await age(db, month)
  await db.updateTable('builds').set({ waits_for_approval: true }).execute()
  await db.deleteFrom('approvals').execute()
  expect(await deliver('check_run', press)).toMatchObject(repeats)
  expect(await db.selectFrom('builds').select('waits_for_approval').execute()).toEqual([
    { waits_for_approval: true },
  ])
  expect(await records()).toEqual(['approve'])
})

test('a webhook that had no effect the first time counts when it is delivered again', async () => {
  const press = await waitingBuild()
  codehost.roles.set(pressed.sender.login, { pull: true, push: false, admin: false })
  expect(await deliver('check_run', press)).toMatchObject({ result: 'ignored' })
  codehost.roles.set(pressed.sender.login, { pull: true, push: true, admin: false })
  expect(await deliver('check_run', press)).toMatchObject({ result: 'noted' })
  expect(await deliver('check_run', press)).toMatchObject(repeats)
  expect(await records()).toEqual(['approve'])
})

test('a body is recognized after the master key has changed', async () => {
  const press = await waitingBuild()
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const at = (sealer: Sealer) => openDoor(db, { ...testContext(db, { codehost }), sealer })
  const before = await at(createSealer(old))
  expect(await before('check_run', press)).toMatchObject({ result: 'noted' })
  await rotateKeys({ db, sealer: createSealer(fresh, old) })
  await db
    .updateTable('deliveries')
    .set({ guid: sql`'before-' || guid` })
    .execute()
  const after = await at(createSealer(fresh))
  expect(await after('check_run', press)).toMatchObject(repeats)
  expect(await records()).toEqual(['approve'])
})

test('a body waits for the first delivery of the same body, which can fail', async () => {
  const press = await waitingBuild()
  expect(await deliver('check_run', press)).toMatchObject({ result: 'noted' })
  const unfinished = { state: 'received' as const, result: null, outcome: null }
  await db.updateTable('deliveries').set(unfinished).execute()
  await expect(deliver('check_run', press)).rejects.toBeInstanceOf(Postponed)
  await db.updateTable('deliveries').set({ state: 'failed' }).where('id', '=', 1).execute()
  expect(await records()).toEqual(['approve'])
})

test('a build is restarted once, no matter how often the same body requests it', async () => {
  const build = await make.build({ repository, state: 'failed' })
  await make.job({ build, state: 'failed' })
  const check_run = { ...again.check_run, external_id: String(build.id) }
  expect(await deliver('check_run', { ...again, check_run })).toMatchObject({
    ...{ result: 'noted', outcome: `build ${build.id} was restarted` },
  })
  const failed = { state: 'failed' as const, finished_at: new Date() }
  await db.updateTable('jobs').set(failed).execute()
  await db.updateTable('builds').set(failed).execute()
  await age(db, month)
  expect(await deliver('check_run', { ...again, check_run })).toMatchObject(repeats)
  // A user who presses the button once more sends another time.
  const later = { ...check_run, completed_at: '2026-01-02T12:00:00Z' }
  expect(await deliver('check_run', { ...again, check_run: later })).toMatchObject({
    outcome: `build ${build.id} was restarted`,
  })
  expect(await records()).toEqual(['restart', 'restart'])
})

test('an old webhook does not remove a commit that has returned to its merge queue', async () => {
  const asked = exampleOf('merge_group', 'checks_requested')
  const at = (pushed_at: string) => ({ ...asked, repository: { ...asked.repository, pushed_at } })
  await db
    .updateTable('repositories')
    .set({ codehost_id: asked.repository?.id ?? 0 })
    .execute()
  const left = { ...at('1'), action: 'destroyed', reason: 'dequeued' }
  expect(await deliver('merge_group', at('0'))).toMatchObject({ result: 'request' })
  expect(await deliver('merge_group', left)).toMatchObject({ result: 'noted' })
  expect(await deliver('merge_group', at('2'))).toMatchObject({ result: 'request' })
  expect(await deliver('merge_group', left)).toMatchObject(repeats)
  const requests = await db.selectFrom('requests').select('reason').orderBy('id').execute()
  expect(requests).toEqual([{ reason: 'left_merge_queue' }, { reason: null }])
})
