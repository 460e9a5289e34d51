import { beforeEach, describe, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { endMergeGroup } from '../../src/flow/events/end-merge-group.ts'
import { holdEvents } from '../../src/flow/events/hold-events.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { mergeGroupOf, pullOf, pushTo, queueRef, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let repository: Repository
let ctx: TestContext

beforeEach(async () => {
  codehost = memoryCodehost()
  codehost.files.set(tip, 'script: make')
  repository = await make.repository()
  ctx = testContext(db, { codehost })
})

type EventInRepository = Parameters<typeof receiveEvent>[1]

async function decide(event: EventInRepository) {
  const received = await receiveEvent(ctx, event)
  if ('request' in received) await acceptRequest(ctx, received.request.id)
  return received
}

const requests = () => db.selectFrom('requests').selectAll().orderBy('id').execute()
const builds = () => db.selectFrom('builds').selectAll().execute()
const contexts = () => codehost.posted.map(({ status }) => `${status.context}: ${status.state}`)

async function publish() {
  const rows = await db.selectFrom('outbox').select('stream').distinct().orderBy('stream').execute()
  for (const { stream } of rows) await publishOutbox(ctx, stream)
}

describe('a merge group whose checks are requested', () => {
  test('creates a request for its pull request and base branch, and builds its commit', async () => {
    await decide(mergeGroupOf(repository, { head_commit: { ...head(), message: '[skip ci]' } }))
    expect(await requests()).toMatchObject([
      {
        event_type: 'pull_request',
        action: 'checks_requested',
        result: 'accepted',
        ref: queueRef,
        base_commit: 'b'.repeat(40),
        head_commit: tip,
        from_fork: false,
      },
    ])
    expect(await db.selectFrom('commits').selectAll().execute()).toMatchObject([
      { sha: tip, branch: 'main', ref: queueRef },
    ])
    expect(await builds()).toMatchObject([
      { event_type: 'pull_request', branch_id: 1, waits_for_approval: false },
    ])
    expect(await db.selectFrom('pull_requests').selectAll().execute()).toMatchObject([
      { number: 7, base_ref: 'main' },
    ])
    expect(codehost.calls).toEqual(['file'])
  })

  test('belongs to the known pull request, and does not change it', async () => {
    await receiveEvent(ctx, pullOf(repository))
    await decide(mergeGroupOf(repository))
    expect((await requests()).map(({ pull_request_id }) => pull_request_id)).toEqual([1, 1])
    expect(await db.selectFrom('pull_requests').selectAll().execute()).toMatchObject([
      { number: 7, title: 'Greet', head_sha: 'd'.repeat(40), head_ref: 'greet' },
    ])
  })

  test('reports to both contexts', async () => {
    await decide(mergeGroupOf(repository))
    await publish()
    expect(codehost.posted.every(({ sha }) => sha === tip)).toBe(true)
    expect(contexts()).toEqual([
      'continuous-integration/service/pr: pending',
      'continuous-integration/service/push: pending',
    ])
  })

  test('is checked against the filters of the base branch, and reports to both contexts', async () => {
    codehost.files.set(tip, 'branches: { only: [stable] }')
    await decide(mergeGroupOf(repository))
    await publish()
    expect(await requests()).toMatchObject([{ reason: 'branch_excluded' }])
    expect(contexts()).toEqual([
      'continuous-integration/service/pr: success',
      'continuous-integration/service/push: success',
    ])
  })

  test('is built once', async () => {
    await decide(mergeGroupOf(repository))
    expect(await decide(mergeGroupOf(repository))).toEqual({
      ignored: 'duplicate of the event that created request 1 for this commit',
    })
  })

  test('can have a branch with slashes', async () => {
    const ref = queueRef.replace('main', 'release/2.x/pr-9-ab')
    await decide(
      mergeGroupOf(repository, { ref, base: { sha: tip, ref: 'refs/heads/release/2.x' } }),
    )
    expect(await db.selectFrom('commits').select('branch').execute()).toEqual([
      { branch: 'release/2.x' },
    ])
    expect(await db.selectFrom('pull_requests').select('number').execute()).toEqual([{ number: 7 }])
  })
})

describe('a merge group that is destroyed', () => {
  const name = queueRef.replace('refs/heads/', '')
  const destroyed = (reason: string | null) =>
    endMergeGroup(ctx, mergeGroupOf(repository, { action: 'destroyed', reason }))
  const jobStates = () => db.selectFrom('jobs').select('state').execute()

  test.each(['dequeued', 'invalidated', null])('as %s cancels its jobs', async (reason) => {
    await decide(mergeGroupOf(repository))
    expect(await destroyed(reason)).toEqual({
      noted: `${name} has left the merge queue (${reason ?? 'no reason given'}): 1 job canceled`,
    })
    expect(await jobStates()).toEqual([{ state: 'canceled' }])
    expect(await builds()).toMatchObject([{ state: 'canceled' }])
    await publish()
    expect(contexts()).toEqual([
      'continuous-integration/service/pr: error',
      'continuous-integration/service/push: error',
    ])
  })

  test('before its request is decided creates no build', async () => {
    await receiveEvent(ctx, mergeGroupOf(repository))
    await destroyed('dequeued')
    await acceptRequest(ctx, 1)
    expect(await requests()).toMatchObject([
      {
        state: 'finished',
        reason: 'left_merge_queue',
        message: expect.stringMatching(/queue the pull request again/),
      },
    ])
    expect(await builds()).toEqual([])
  })

  test('while its checks are being requested creates no build', async () => {
    const event = mergeGroupOf(repository)
    const [requested, ended] = await db.transaction().execute(async (tx) => {
      await holdEvents({ db: tx }, event.repository)
      const first = receiveEvent(ctx, event)
      await lockWaits(db, 1)
      const second = destroyed('dequeued')
      await lockWaits(db, 2)
      return [first, second]
    })
    await Promise.all([requested, ended])
    await acceptRequest(ctx, 1)
    expect(await requests()).toMatchObject([{ id: 1, reason: 'left_merge_queue' }])
    expect(await builds()).toEqual([])
  })

  test('because it was merged keeps its jobs running', async () => {
    await decide(mergeGroupOf(repository))
    expect(await destroyed('merged')).toEqual({
      noted: `${name} has left the merge queue (merged)`,
    })
    expect(await jobStates()).toEqual([{ state: 'created' }])
  })

  test('because it was merged before its checks are requested creates no build', async () => {
    await destroyed('merged')
    await decide(mergeGroupOf(repository))
    expect(await requests()).toMatchObject([
      { reason: 'left_merge_queue', message: expect.stringMatching(/push to its base/) },
    ])
    expect(await builds()).toEqual([])
  })

  test('leaves other commits of the queue alone, and ignores unknown commits', async () => {
    await decide(mergeGroupOf(repository))
    const other = { ...mergeGroupOf(repository).head_commit, sha: 'e'.repeat(40) }
    await endMergeGroup(
      ctx,
      mergeGroupOf(repository, { action: 'destroyed', head_commit: other, reason: 'dequeued' }),
    )
    expect(await jobStates()).toEqual([{ state: 'created' }])
    const elsewhere = mergeGroupOf({ ...repository, codehost_id: 999 }, { action: 'destroyed' })
    expect(await endMergeGroup(ctx, elsewhere)).toEqual({ unknown: 'unknown repository hello' })
  })
})

test.each([
  [{ action: 'paused' }, 'a merge group that was paused builds nothing'],
  [{ ref: 'refs/heads/main' }, 'refs/heads/main names no pull request of a merge queue'],
])('a merge group with %j creates no request', async (given, ignored) => {
  expect(await decide(mergeGroupOf(repository, given))).toEqual({ ignored })
})

test('a push to a branch of a merge queue creates no build, status or branch', async () => {
  const noted = `${queueRef.replace('refs/heads/', '')} belongs to a merge queue`
  expect(await decide(pushTo(repository, { ref: queueRef }))).toEqual({ noted })
  const { head_commit: _head, ...facts } = pushTo(repository)
  const created = { ref_type: 'branch', name: queueRef.replace('refs/heads/', ''), exists: true }
  expect(await decide({ ...facts, ...created, type: 'ref' } as EventInRepository)).toEqual({
    noted,
  })
  expect(await requests()).toEqual([])
  expect(await db.selectFrom('branches').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([])
})

function head() {
  return mergeGroupOf(repository).head_commit
}
