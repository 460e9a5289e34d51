import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../src/domain/audit.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { restartBuild } from '../../src/flow/builds/restart-build.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { claimJob } from '../../src/flow/jobs/claim-job.ts'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { resetJob } from '../../src/flow/jobs/reset-job.ts'
import { restartJob } from '../../src/flow/jobs/restart-job.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { startJob } from '../../src/flow/jobs/start-job.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { approveRequest } from '../../src/flow/requests/approve-request.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { pullOf } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { type MemoryCodehost, memoryCodehost, putPull } from '../support/memory-codehost.ts'

const { db } = await ownDatabase()
const make = factories(db)

const good = 'a'.repeat(40)
const evil = 'b'.repeat(40)

let codehost: MemoryCodehost
let repository: Repository
let ctx: TestContext
let maintainer: Actor
let count = 0

beforeEach(prepare)

/** A separate repository for each story, so that one test can run many stories. */
async function prepare() {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  repository = await make.repository({ codehost_id: 500_000 + (count += 1), name: `r${count}` })
  const user = await make.user()
  maintainer = { user, token_id: null, address: '127.0.0.1' }
}

/** Pushes this commit to the fork's branch, and delivers the event. */
async function push(sha: string, action = 'synchronize'): Promise<void> {
  const merge = `${sha.slice(0, 8)}${'e'.repeat(32)}`
  putPull(codehost, { head: sha, merge })
  const head = { ...pullOf(repository).head, sha, repository_codehost_id: 4711 }
  const received = await receiveEvent(ctx, pullOf(repository, { action, head }))
  if ('request' in received) await acceptRequest(ctx, received.request.id)
}

const ofRepository = () =>
  db
    .selectFrom('jobs')
    .innerJoin('builds', 'builds.id', 'jobs.build_id')
    .innerJoin('requests', 'requests.id', 'builds.request_id')
    .select(['jobs.id', 'jobs.attempt', 'jobs.state', 'jobs.build_id', 'requests.head_commit'])
    .select('requests.id as request_id')
    .where('jobs.repository_id', '=', repository.id)
    .orderBy('jobs.id')
    .execute()

const approve = async (request: number) => {
  await approveRequest(ctx, maintainer, request)
}

const schedule = () =>
  scheduleJobs(ctx, { owner_id: repository.owner_id, owner_type: repository.owner_type })

/** Claims and starts a queued job; false if that fails. */
async function begin(id: number): Promise<boolean> {
  const job = await claimJob(ctx, id, 'runner')
  return job !== undefined && (await startJob(ctx, job))
}

describe('a commit without an approval does not run', () => {
  test('when it replaces an approved commit', async () => {
    await push(good, 'opened')
    const [first] = await ofRepository()
    await approve(first?.request_id ?? 0)
    await push(evil)
    await schedule()
    expect(await ofRepository()).toMatchObject([
      { state: 'canceled', head_commit: good },
      { state: 'created', head_commit: evil },
    ])
  })

  test('when it is pushed and replaced by the approved commit', async () => {
    await push(good, 'opened')
    const [first] = await ofRepository()
    await approve(first?.request_id ?? 0)
    await push(evil)
    await push(good)
    await schedule()
    expect((await ofRepository()).map(({ state }) => state)).toEqual([
      'canceled',
      'canceled',
      'created',
    ])
  })

  test('when it arrives between the approval and the claim by a runner', async () => {
    await push(good, 'opened')
    const [job] = await ofRepository()
    await approve(job?.request_id ?? 0)
    await schedule()
    const claimed = await claimJob(ctx, job?.id ?? 0, 'runner')
    expect(claimed).toMatchObject({ state: 'received' })
    await push(evil)
    expect(claimed && (await startJob(ctx, claimed))).toBe(false)
  })

  test('when it is pushed during an approval', async () => {
    for (let round = 0; round < 10; round += 1) {
      await prepare()
      await push(good, 'opened')
      const [job] = await ofRepository()
      await Promise.all([approve(job?.request_id ?? 0).catch(() => {}), push(evil)])
      await schedule()
      const states = (await ofRepository()).map(({ state, head_commit }) => [head_commit, state])
      expect(states).toEqual([
        [good, 'canceled'],
        [evil, 'created'],
      ])
    }
  })

  test('when the machine of the approved commit is lost, and the job would be retried', async () => {
    await push(good, 'opened')
    const [job] = await ofRepository()
    await approve(job?.request_id ?? 0)
    await schedule()
    expect(await begin(job?.id ?? 0)).toBe(true)
    await push(evil)
    expect(await ofRepository()).toMatchObject([{ state: 'started' }, { state: 'created' }])
    const run = { job_id: job?.id ?? 0, attempt: job?.attempt ?? 0 }
    await resetJob(ctx, run, { kind: 'machine', reason: 'its disk is full' })
    expect(await ofRepository()).toMatchObject([{ state: 'canceled' }, { state: 'created' }])
  })

  test.each(['build', 'job'] as const)('when the superseded %s is restarted', async (what) => {
    await push(good, 'opened')
    const [job] = await ofRepository()
    await approve(job?.request_id ?? 0)
    await push(evil)
    const restarted =
      what === 'build'
        ? restartBuild(ctx, maintainer, job?.build_id ?? 0)
        : restartJob(ctx, maintainer, job?.id ?? 0)
    await expect(restarted).rejects.toThrow(/has new commits/)
    await schedule()
    expect((await ofRepository()).map(({ state }) => state)).toEqual(['canceled', 'created'])
  })

  test('when the approval was for the same commit in another pull request', async () => {
    await push(good, 'opened')
    const [first] = await ofRepository()
    await approve(first?.request_id ?? 0)
    putPull(codehost, { head: good, merge: '9'.repeat(40) }, 8)
    const head = { ...pullOf(repository).head, sha: good, repository_codehost_id: 4711 }
    const other = await receiveEvent(ctx, pullOf(repository, { number: 8, head }))
    if (!('request' in other)) throw new Error('there is no request')
    await acceptRequest(ctx, other.request.id)
    await schedule()
    expect((await ofRepository()).map(({ state }) => state)).toEqual(['queued', 'created'])
  })
})

const acts = [
  'push',
  'push back',
  'approve',
  'approve',
  'run',
  'run',
  'end',
  'lose',
  'restart',
] as const

/**
 * Whatever a stranger pushes and maintainers approve and restart, in any order: a job starts only
 * if its commit is the head, and was approved since it became the head.
 */
test('no superseded request ever runs under an earlier approval', async () => {
  const story = fc.record({
    steps: fc.array(fc.constantFrom(...acts), { minLength: 8, maxLength: 20 }),
    picks: fc.infiniteStream(fc.nat(99)),
  })
  const property = fc.asyncProperty(story, async ({ steps, picks }) => {
    await prepare()
    const pick = <T>(of: readonly T[]): T | undefined =>
      of[(picks.next().value ?? 0) % Math.max(1, of.length)]
    const shas = [good]
    let head = good
    let approved = false
    const wrong: string[] = []
    await push(good, 'opened')
    for (const step of steps) {
      const jobs = await ofRepository()
      const job = pick(jobs)
      if (!job) continue
      const { id, build_id, request_id } = job
      const run = { job_id: id, attempt: job.attempt }
      if (step === 'push' || step === 'push back') {
        const fresh = (shas.length + 10).toString(16).padStart(40, '0')
        if (step === 'push') shas.push(fresh)
        const to = step === 'push' ? fresh : (pick(shas) ?? good)
        if (to !== head) approved = false
        head = to
        await push(to)
      }
      if (step === 'approve') {
        const isDone = await approve(request_id).then(
          () => true,
          () => false,
        )
        if (isDone !== (job.head_commit === head)) wrong.push(`${job.head_commit} is not ${head}`)
        approved ||= isDone
      }
      if (step === 'run') {
        await schedule()
        const begins = await begin(id)
        if (begins && !(approved && job.head_commit === head)) wrong.push(`${job.head_commit} ran`)
      }
      if (step === 'end') await finishJob(ctx, run, 'failed')
      if (step === 'lose') await resetJob(ctx, run, { kind: 'stopped', reason: 'it was stopped' })
      if (step === 'restart') await restartBuild(ctx, maintainer, build_id).catch(() => {})
    }
    expect(wrong).toEqual([])
  })
  await fc.assert(property, { seed: 20_260_102, numRuns: 60 })
}, 120_000)
