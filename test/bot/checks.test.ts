import { beforeEach, describe, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { putBranch, putTag } from '../../src/store/repositories/branches.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { type Example, exampleOf, openDoor } from './door.ts'

const db = await testDatabase()
const make = factories(db)

const codehost = memoryCodehost()
const ctx = testContext(db, { codehost })
const deliver = await openDoor(db, ctx)

interface CheckPayload extends Example {
  check_run: { head_sha: string; name: string; external_id: string }
  sender: { id: number; login: string }
}

const pressed = exampleOf('check_run', 'requested_action') as CheckPayload
const again = exampleOf('check_run', 'rerequested') as CheckPayload
const suite = exampleOf('check_suite', 'rerequested') as Example & {
  check_suite: { head_sha: string }
}

let repository: Repository

beforeEach(async () => {
  codehost.roles.clear()
  repository = await make.repository({ codehost_id: pressed.repository?.id ?? 0 })
})

const pusher = { pull: true, push: true, admin: false }
const reader = { pull: true, push: false, admin: false }

/** A build of this head of a fork, with a job; returns the id of its request. */
async function ofFork(sha: string): Promise<number> {
  const pull = await make.pullRequest(repository, { head_sha: sha, head_repository_codehost_id: 1 })
  const build = await make.build({
    repository,
    event_type: 'pull_request',
    pull_request_id: pull.id,
    waits_for_approval: true,
  })
  await make.job({ build })
  await db
    .updateTable('requests')
    .set({ pull_request_id: pull.id, head_commit: sha, base_ref: 'main', from_fork: true })
    .where('id', '=', build.request_id)
    .execute()
  return build.request_id
}

/** Sets a user who is now blocked as the sender of all requests. */
async function blockSender(): Promise<void> {
  const { id } = await make.user('mallory')
  await db.updateTable('users').set({ blocked_at: new Date() }).where('id', '=', id).execute()
  await db.updateTable('requests').set({ sender_id: id }).execute()
}

const waiting = async () =>
  (await db.selectFrom('builds').select('waits_for_approval').execute()).map(
    ({ waits_for_approval }) => waits_for_approval,
  )

describe('the button of a check', () => {
  const at = (head_sha: string, external_id: number, given: object = {}) => ({
    ...pressed,
    check_run: {
      ...pressed.check_run,
      name: 'service/config',
      head_sha,
      external_id: String(external_id),
    },
    requested_action: { identifier: 'approve' },
    ...given,
  })
  const sha = 'd'.repeat(40)

  test('approves a commit if the sender can push, and leaves an audit record', async () => {
    const request = await ofFork(sha)
    codehost.roles.set(pressed.sender.login, pusher)
    expect(await deliver('check_run', at(sha, request))).toMatchObject({
      result: 'noted',
      outcome: `${pressed.sender.login} approved ${sha}`,
    })
    expect(await waiting()).toEqual([false])
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records).toMatchObject([
      { actor: pressed.sender.login, action: 'approve', subject_id: request },
    ])
  })

  test('approves a commit on the check of the build as well', async () => {
    const request = await ofFork(sha)
    const { id } = await db.selectFrom('builds').select('id').executeTakeFirstOrThrow()
    codehost.roles.set(pressed.sender.login, pusher)
    const { check_run, ...event } = at(sha, id)
    const run = { ...check_run, name: 'service - Pull Request' }
    const ofOther = { ...run, external_id: String(id + 1) }
    const ofBranch = { ...run, name: 'service - Branch' }
    for (const wrong of [ofOther, ofBranch]) {
      const outcome = await deliver('check_run', { ...event, check_run: wrong })
      expect(outcome).toMatchObject({ result: 'ignored' })
    }
    expect(await waiting()).toEqual([true])
    expect(await deliver('check_run', { ...event, check_run: run })).toMatchObject({
      result: 'noted',
    })
    expect(await waiting()).toEqual([false])
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records).toMatchObject([{ action: 'approve', subject_id: request }])
  })

  test.each([
    ['with read access only', reader],
    ['without a role', undefined],
  ])('does nothing for a sender %s', async (_who, role) => {
    const request = await ofFork(sha)
    if (role) codehost.roles.set(pressed.sender.login, role)
    expect(await deliver('check_run', at(sha, request))).toMatchObject({ result: 'ignored' })
    expect(await waiting()).toEqual([true])
  })

  test('does nothing for a sender who is blocked here', async () => {
    const request = await ofFork(sha)
    codehost.roles.set(pressed.sender.login, pusher)
    const { id: codehost_id, login } = pressed.sender
    await db
      .insertInto('users')
      .values({ ...blank, provider: 'codehost', codehost_id, login, blocked_at: new Date() })
      .execute()
    expect(await deliver('check_run', at(sha, request))).toMatchObject({
      result: 'ignored',
      outcome: `${login} is blocked here by an administrator`,
    })
    expect(await waiting()).toEqual([true])
  })

  test('does nothing for a commit of a user who is blocked here', async () => {
    const request = await ofFork(sha)
    await blockSender()
    codehost.roles.set(pressed.sender.login, pusher)
    expect(await deliver('check_run', at(sha, request))).toMatchObject({
      result: 'ignored',
      outcome: expect.stringContaining('mallory is blocked here: to build the commit') as string,
    })
    expect(await waiting()).toEqual([true])
  })

  test('does nothing for another commit, another repository or another button', async () => {
    const request = await ofFork(sha)
    codehost.roles.set(pressed.sender.login, pusher)
    const other = await make.repository({ name: 'other', codehost_id: 99 })
    const elsewhere = { ...(pressed.repository as object), id: other.codehost_id }
    const wrong = [
      at('e'.repeat(40), request),
      at(sha, request + 1),
      at(sha, request, { repository: elsewhere }),
      at(sha, request, { requested_action: { identifier: 'other' } }),
    ]
    for (const payload of wrong) {
      expect(await deliver('check_run', payload)).toMatchObject({ result: 'ignored' })
    }
    expect(await waiting()).toEqual([true])
  })
})

const blank = {
  name: null,
  email: null,
  avatar_url: null,
  locale: null,
  sync_started_at: null,
  synced_at: null,
  first_logged_in_at: null,
  last_activity_at: null,
}

describe('a repeated request for a check', () => {
  const sha = 'f'.repeat(40)
  const states = async () =>
    (await db.selectFrom('builds').select('state').orderBy('id').execute()).map(
      ({ state }) => state,
    )

  /** A finished build of this commit at a ref. */
  async function built(ref = 'refs/heads/main') {
    const commit = await make.commit(repository, { sha, ref })
    const build = await make.build({ repository, commit_id: commit.id, state: 'failed' })
    await make.job({ build, state: 'failed' })
    return build
  }

  const run = (name: string, external_id: number) => ({
    ...again,
    repository: pressed.repository,
    check_run: { ...again.check_run, head_sha: sha, name, external_id: String(external_id) },
  })

  test('restarts the build if the check belongs to a build', async () => {
    await built()
    const { id } = await built()
    codehost.roles.set(again.sender.login, pusher)
    expect(await deliver('check_run', run('another check of ours', id))).toMatchObject({
      result: 'noted',
      outcome: `build ${id} was restarted`,
    })
    expect(await states()).toEqual(['failed', 'created'])
  })

  test('posts the check of the build file again', async () => {
    const { request_id } = await built()
    codehost.roles.set(again.sender.login, pusher)
    expect(await deliver('check_run', run('service/config', request_id))).toMatchObject({
      result: 'noted',
      outcome: `the statuses and checks of ${sha} are posted again`,
    })
    expect(await states()).toEqual(['failed'])
  })

  test('fetches a build file again that could not be fetched', async () => {
    const { id, request_id } = await built()
    await db.updateTable('builds').set({ config_error: 'fetch', state: 'errored' }).execute()
    codehost.roles.set(again.sender.login, pusher)
    expect(await deliver('check_run', run('service/config', request_id))).toMatchObject({
      result: 'noted',
      outcome: `build ${id} was restarted`,
    })
    expect(await states()).toEqual(['created'])
  })

  test('restarts nothing for a sender without push access', async () => {
    const { id } = await built()
    codehost.roles.set(again.sender.login, reader)
    expect(await deliver('check_run', run('a', id))).toMatchObject({ result: 'ignored' })
    expect(await states()).toEqual(['failed'])
  })

  test('restarts nothing for a build caused by a user who is blocked here', async () => {
    const { id } = await built()
    await blockSender()
    codehost.roles.set(again.sender.login, pusher)
    expect(await deliver('check_run', run('a', id))).toMatchObject({
      result: 'noted',
      outcome: expect.stringContaining(
        `build ${id} cannot be restarted: mallory is blocked here`,
      ) as string,
    })
    expect(await states()).toEqual(['failed'])
  })

  test('restarts no build of another repository', async () => {
    const elsewhere = await make.build({ repository: await make.repository({ name: 'b' }) })
    codehost.roles.set(again.sender.login, pusher)
    expect(await deliver('check_run', run('a', elsewhere.id))).toMatchObject({ result: 'ignored' })
  })

  test('restarts nothing for the suite of a tag', async () => {
    await built('refs/tags/v1')
    await putTag(db, repository.id, 'v1')
    codehost.roles.set(pressed.sender.login, pusher)
    const { check_suite } = suite
    const of = (head_branch: string) => ({
      ...{ ...suite, repository: pressed.repository, sender: pressed.sender },
      check_suite: { ...check_suite, head_sha: sha, head_branch },
    })
    expect(await deliver('check_suite', of('v1'))).toMatchObject({
      ...{ result: 'ignored', outcome: 'v1 is a tag: restart its build, or push it again' },
    })
    expect(await states()).toEqual(['failed'])
    await putBranch(db, repository.id, 'v1')
    expect(await deliver('check_suite', { ...of('v1'), again: 1 })).toMatchObject({
      result: 'noted',
    })
  })

  test('restarts the newest build of each ref for the suite of a commit', async () => {
    for (const ref of ['refs/heads/main', 'refs/heads/main', 'refs/heads/next']) await built(ref)
    codehost.roles.set(pressed.sender.login, pusher)
    const { check_suite } = suite
    await deliver('check_suite', {
      ...suite,
      repository: pressed.repository,
      sender: pressed.sender,
      check_suite: { ...check_suite, head_sha: sha },
    })
    expect(await states()).toEqual(['failed', 'created', 'created'])
  })

  test('reports that nothing can be restarted', async () => {
    const { id } = await built()
    await db.updateTable('builds').set({ config_error: 'parse' }).execute()
    codehost.roles.set(again.sender.login, pusher)
    expect(await deliver('check_run', run('a', id))).toMatchObject({
      result: 'noted',
      outcome: expect.stringMatching(
        `^build ${id} cannot be restarted now; the statuses and checks of [0-9a-f]{40} are posted again$`,
      ) as string,
    })
  })
})
