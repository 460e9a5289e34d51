// The author of a fork's pull request changes its base once it is approved, to get the secrets of another branch.
import { beforeEach, expect, test } from 'vitest'
import type { PullRequestEvent } from '../../src/domain/event.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { approveRequest } from '../../src/flow/requests/approve-request.ts'
import { createServer } from '../../src/http/server.ts'
import { openDoor } from '../bot/door.ts'
import { secretsScene } from '../flow/secrets-scene.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pullOf } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import {
  commitOf,
  type MemoryCodehost,
  memoryCodehost,
  putPull,
} from '../support/memory-codehost.ts'
import { webhookOf } from '../support/payloads.ts'

const db = await testDatabase()
const make = factories(db)
const head = 'a'.repeat(40)
const bases = { main: 'b'.repeat(40), prod: 'd'.repeat(40) }

let codehost: MemoryCodehost
let ctx: TestContext
let scene: Awaited<ReturnType<typeof secretsScene>>
let deliver: Awaited<ReturnType<typeof openDoor>>

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  scene = await secretsScene({ db, make, ctx, codehost }, await createServer(ctx))
  deliver = await openDoor(db, ctx)
  await scene.set({ share_encrypted_env_with_forks: true })
  await scene.addVariable({ name: 'OF_MAIN', value: 'main-secret', branch: 'main' })
  await scene.addVariable({ name: 'OF_PROD', value: 'prod-secret', branch: 'prod' })
})

/** Makes the code host show the fork's pull request with this base, and announce the change. */
async function show(base: keyof typeof bases, given: Partial<PullRequestEvent>): Promise<void> {
  const at = { sha: bases[base], ref: base }
  const merge = bases[base].replaceAll(/^.{8}/g, 'eeeeeeee')
  putPull(codehost, { head, merge, base: at })
  codehost.commits.set(merge, commitOf(merge, 'Merge', [at.sha, head]))
  codehost.files.set(merge, 'script: make')
  const { head: from } = pullOf(scene.repository)
  const event = pullOf(scene.repository, {
    ...{ head: { ...from, sha: head, repository_codehost_id: 666, slug: 'mallory/hello' } },
    ...{ base: at, ...given },
  })
  await deliver(...webhookOf(event))
}

async function decide(): Promise<void> {
  const open = await db.selectFrom('requests').select('id').where('result', 'is', null).execute()
  for (const { id } of open) await acceptRequest(ctx, id)
  const { owner_id, owner_type } = scene.repository
  await scheduleJobs(ctx, { owner_id, owner_type })
}

const jobs = () =>
  db
    .selectFrom('jobs')
    .innerJoin('builds', 'builds.id', 'jobs.build_id')
    .select(['jobs.id', 'jobs.state', 'builds.waits_for_approval as waits'])
    .orderBy('jobs.id')
    .execute()

async function approve(request: number): Promise<void> {
  const maintainer = { user: await make.user(), token_id: null, address: '127.0.0.1' }
  await approveRequest(ctx, maintainer, request)
  await decide()
}

test('no job gets the secret of the new base before a new approval', async () => {
  await show('main', { action: 'opened' })
  await decide()
  expect(await jobs()).toMatchObject([{ state: 'created', waits: true }])
  await approve(1)
  expect(await jobs()).toMatchObject([{ state: 'queued', waits: false }])

  await show('prod', { action: 'edited', retargeted: true })
  await decide()
  const [ofMain, ofProd] = await jobs()
  expect(ofProd).toMatchObject({ state: 'created', waits: true })
  const { job } = await scene.programsOf(ofMain?.id ?? 0)
  expect(job).not.toContain('prod-secret')

  await approve(2)
  const released = (await jobs()).at(-1)
  expect(released).toMatchObject({ state: 'queued', waits: false })
  const { job: approved } = await scene.programsOf(released?.id ?? 0)
  expect(approved).toContain('prod-secret')
  expect(approved).not.toContain('main-secret')
})

test('a base that changes before the request is decided needs its own approval', async () => {
  await show('main', { action: 'opened' })
  await show('prod', { action: 'edited', retargeted: true })
  await decide()
  expect((await jobs()).every(({ state, waits }) => state === 'created' && waits)).toBe(true)
})
