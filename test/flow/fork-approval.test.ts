// FORK_APPROVAL: which pull requests from forks run without an approval, with which secrets, and
// where.
import { beforeEach, describe, expect, test } from 'vitest'
import type { ForkApproval } from '../../src/domain/request/approval.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { findPlace } from '../../src/flow/jobs/choose-runner.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { awaitsApproval } from '../../src/flow/requests/awaits-approval.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { createServer } from '../../src/http/server.ts'
import { findJobToRun } from '../../src/store/jobs/jobs-to-run.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { registerRunner } from '../../src/store/jobs/runners.ts'
import { waitingReasons } from '../../src/texts/waiting-reasons.ts'
import { caller } from '../http/door.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pullOf } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { foundIn, secretsScene } from './secrets-scene.ts'

const db = await testDatabase()
const make = factories(db)
let codehost: MemoryCodehost
let ctx: TestContext

const machine = { os: 'linux', arch: 'amd64', isolation: 'container', queues: null }

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
})

const set = (forkApproval: ForkApproval) => {
  ctx.config = { ...ctx.config, forkApproval }
}

async function openScene() {
  const server = await createServer(ctx)
  const scene = await secretsScene({ db, make, ctx, codehost }, server, { private: true })
  const user = await make.user('maintainer')
  await make.permission(user, scene.repository, 'push')
  const inject = caller(server)
  const v3 = async (asked: string) => {
    const headers = { 'service-api-version': '3', authorization: `token ${user.token}` }
    const { statusCode, body } = await inject(asked, headers)
    return [statusCode, JSON.parse(body)] as [number, { approval: unknown; '@type': string }]
  }
  return { ...scene, v3 }
}

const file = 'script: make\nenv: {A: 1}\n'

async function scheduled(id: number) {
  const job = await findJob(db, id)
  if (!job) throw new Error('there is no such job')
  await scheduleJobs(ctx, job)
  return findJob(db, id)
}

function start(id: string, without_approval: boolean): Promise<void> {
  const facts = { version: '1', host: 'machine', executor: 'docker', slots: 1 }
  return registerRunner(db, { id, without_approval, ...facts, ...machine })
}

/** The statuses of the heads posted to the code host, in order. */
async function posted(): Promise<string[]> {
  const rows = await db.selectFrom('outbox').select('stream').distinct().execute()
  for (const { stream } of rows) await publishOutbox(ctx, stream)
  return codehost.posted.map(({ status: { state, description } }) => `${state}: ${description}`)
}

test('with "never" a fork runs immediately, without the secrets shared with approved forks', async () => {
  set('never')
  const scene = await openScene()
  await scene.addVariable({ name: 'A', value: 'of-the-settings' })
  await scene.addVariable({ name: 'B', value: 'for-everyone', public: true })
  await scene.setKey()
  await scene.set({ share_encrypted_env_with_forks: true, share_ssh_keys_with_forks: true })
  const secure = await scene.encrypted('C=of-the-file')
  const { id } = await scene.build(`env:\n  - secure: "${secure}"\nscript: make`, 'fork')

  expect(await scheduled(id)).toMatchObject({ state: 'queued' })
  expect((await posted())[0]).not.toContain('Waiting for a maintainer')
  const text =
    'not needed here (FORK_APPROVAL): its jobs run without secrets, even if the settings share them with forks'
  const none = { by: null, at: null, until: null }
  const [, { approval }] = await scene.v3('GET /repo/1/request/1/explain')
  expect(approval).toEqual({ state: 'unneeded', text, ...none })
  expect(foundIn(await scene.programsOf(id))).toEqual(['public'])

  // An approval shares the secrets that the settings allow, from the next run on.
  expect((await scene.v3('POST /request/1/approve'))[0]).toBe(200)
  expect((await scene.v3(`POST /job/${id}/restart`))[0]).toBe(202)
  expect(await scheduled(id)).toMatchObject({ state: 'queued' })
  expect(foundIn(await scene.programsOf(id))).toEqual(['file', 'settings', 'public', 'key'])
})

test('an unapproved job runs only on a runner whose own setting allows it', async () => {
  set('never')
  const { build } = await openScene()
  const { id } = await build(file, 'fork')
  const own = await build(file, 'pull')
  await start('strict', false)
  expect(await scheduled(own.id)).toMatchObject({ state: 'queued' })
  const waiting = await scheduled(id)
  if (!waiting) throw new Error('the job is gone')
  expect(waiting.state).toBe('created')
  expect(waitingReasons(waiting)).toEqual([
    'It waits, because it comes from a fork, no one has approved it, and no runner takes such jobs: approve it, or set FORK_APPROVAL for a runner with containers.',
  ])
  await start('open', true)
  expect(await scheduled(id)).toMatchObject({ state: 'queued' })
  const toRun = await findJobToRun(db, id)
  if (!toRun) throw new Error('the job is gone')
  expect(await findPlace(ctx, toRun, { ...machine, without_approval: false })).toBe('elsewhere')
  expect(await findPlace(ctx, toRun, { ...machine, without_approval: true })).toBe('here')
})

test('a job that waits for a runner that allows unapproved jobs can run anywhere once approved', async () => {
  set('never')
  const { build, v3 } = await openScene()
  const { id } = await build(file, 'fork')
  await start('strict', false)
  expect(await scheduled(id)).toMatchObject({ state: 'created' })
  expect((await v3('POST /request/1/approve'))[0]).toBe(200)
  expect(await scheduled(id)).toMatchObject({ state: 'queued' })
})

describe('with "first" the forks of an author', () => {
  test('run once one of them was approved', async () => {
    set('first')
    const { build, v3 } = await openScene()
    const first = await build(file, 'fork')
    expect(await scheduled(first.id)).toMatchObject({ state: 'created' })
    await v3('POST /request/1/approve')
    const second = await build(file, 'fork')
    expect(await scheduled(second.id)).toMatchObject({ state: 'queued' })
    // The pull request of another author, none of whose commits was approved.
    await db.updateTable('pull_requests').set({ author_codehost_id: 77 }).execute()
    const third = await build(file, 'fork')
    expect(await scheduled(third.id)).toMatchObject({ state: 'created' })
  })

  test('wait if another user pushed the head, even when the author reopens the pull request', async () => {
    set('first')
    const { build, repository, v3 } = await openScene()
    await build(file, 'fork')
    await v3('POST /request/1/approve')
    const tell = async (sha: string, action: string, login: string) => {
      const head = { ...pullOf(repository).head, sha, repository_codehost_id: 666 }
      const sender = { codehost_id: null, login }
      const received = await receiveEvent(
        ctx,
        pullOf(repository, { number: 2, action, head, sender }),
      )
      if (!('request' in received)) throw new Error('there is no request')
      return awaitsApproval(ctx, received.request)
    }
    const runs = { waits_for_approval: false, without_approval: true }
    const waits = { waits_for_approval: true, without_approval: false }
    expect(await tell('1'.repeat(40), 'opened', 'Octavia')).toMatchObject(runs)
    expect(await tell('2'.repeat(40), 'synchronize', 'mallory')).toMatchObject(waits)
    expect(await tell('2'.repeat(40), 'reopened', 'octavia')).toMatchObject(waits)
    expect(await tell('3'.repeat(40), 'synchronize', 'octavia')).toMatchObject(runs)
  })
})

test('a job that ran without an approval needs one when the setting is back', async () => {
  set('never')
  const { build, programsOf, v3 } = await openScene()
  const { id } = await build(file, 'fork')
  await scheduled(id)
  await programsOf(id)
  expect(await findJob(db, id)).toMatchObject({ state: 'passed' })
  set('always')
  expect((await v3(`POST /job/${id}/restart`))[0]).toBe(202)
  expect(await scheduled(id)).toMatchObject({ state: 'created' })
  const [, { approval }] = await v3('GET /repo/1/request/1/explain')
  expect(approval).toMatchObject({ state: 'waiting' })
})

test('a fork whose build file skips the build still waits for a maintainer', async () => {
  set('never')
  const { build, repository } = await openScene()
  await expect(build('if: false\nscript: make\n', 'fork')).rejects.toThrow('no result')
  expect(await posted()).toEqual([
    expect.stringContaining('Waiting for a maintainer to approve this commit'),
  ])
  expect(repository.private).toBe(true)
})
