import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../src/domain/job/job.ts'
import { claimJob } from '../../src/flow/jobs/claim-job.ts'
import { reclaimJobs } from '../../src/flow/jobs/reclaim-jobs.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { startJob } from '../../src/flow/jobs/start-job.ts'
import { sweepAgain, sweepSeconds } from '../../src/flow/upkeep/sweep.ts'
import { Postponed } from '../../src/queue/work.ts'
import { type Executor, StartError } from '../../src/runner/executor.ts'
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { defaultImageMap } from '../../src/script/images/image-map.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { liveRunners, registerRunner } from '../../src/store/jobs/runners.ts'
import { waitingReasons } from '../../src/texts/waiting-reasons.ts'
import { createLosses } from '../../src/worker/losses.ts'
import { runJobs } from '../../src/worker/processors/run-job.ts'
import { createRest, type Rest } from '../../src/worker/rest.ts'
import { createFakeMachine } from '../runner/fake-executor.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { partsOfLog } from '../support/stored-parts.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db, { codehost: memoryCodehost() })
const job = async (id: number) => (await findJob(db, id)) as Job
const day = 24 * 60 * 60

describe('a machine whose disk is full', () => {
  const full = 'ENOSPC: no space left on device'

  /** Runs a job on the machine, as often as it is scheduled. */
  async function run(id: number, resting = false): Promise<number> {
    let considered = 0
    const executor: Executor = {
      ...createFakeMachine().executor,
      start: () => Promise.reject(new StartError('machine', full)),
    }
    const rest: Rest = {
      guard() {},
      isResting: () => resting,
      consider: async () => void (considered += 1),
    }
    const stopping = new AbortController().signal
    const runner = {
      id: 'machine-1',
      executor,
      version: '1',
      slots: 1,
      stopping,
      rest,
      machine: { os: 'linux', arch: 'amd64' },
      isAlone: () => true,
      losses: createLosses(),
      running: new Set<number>(),
      isWatched: () => false,
      images: defaultImageMap,
      dockerInJobs: [],
      queues: null,
      jobLimits: {},
    }
    const receive = () => Promise.reject(new Error('nobody delivers'))
    await runJobs.process({ job_id: id }, { ctx, receive, runner })
    return considered
  }

  test('does not count as a fault of a job, which pauses and reports the reason', async () => {
    const { id, ...owner } = await make.job({ state: 'queued' })
    expect(await run(id)).toBe(1)
    await age(db, -60)
    await scheduleJobs(ctx, owner)
    const paused = await job(id)
    expect(paused).toMatchObject({ state: 'created', attempt: 2, resets: 0, retries: 1 })
    expect(waitingReasons(paused)).toEqual([
      `Its last run was lost (${full}); it is tried again after a pause.`,
    ])
    await age(db, 60 + 6)
    await scheduleJobs(ctx, owner)
    expect(await job(id)).toMatchObject({ state: 'queued' })
  })

  test('has its jobs retried for a day, and no longer', async () => {
    const { id, ...owner } = await make.job({ state: 'queued' })
    for (let tries = 1; tries <= 20; tries++) {
      await run(id)
      expect(await job(id)).toMatchObject({ state: 'created', attempt: tries + 1, retries: tries })
      await age(db, 301)
      await scheduleJobs(ctx, owner)
    }
    await age(db, day)
    await run(id)
    expect(await job(id)).toMatchObject({ state: 'errored', resets: 0 })
    const [part] = await partsOfLog(db, id)
    expect(part?.content).toContain(
      `could not be started for a day, because of problems outside the job: ${full}`,
    )
  })

  test('leaves new jobs to other runners while it pauses', async () => {
    const { id } = await make.job({ state: 'queued' })
    await expect(run(id, true)).rejects.toBeInstanceOf(Postponed)
    expect(await job(id)).toMatchObject({ state: 'queued', attempt: 1 })
  })

  test('has the next try scheduled for the end of the pause', async () => {
    const { id, owner_id, owner_type } = await make.job({ state: 'queued' })
    await run(id)
    expect(ctx.enqueued.at(-1)).toEqual({
      name: 'jobs.schedule',
      payload: { owner_id, owner_type },
      options: { delay: 5000 },
    })
  })
})

describe('a runner that is killed', () => {
  async function startOn(runner: string): Promise<number> {
    const { id } = await make.job({ state: 'queued' })
    const claimed = await claimJob(ctx, id, runner)
    if (claimed) await startJob(ctx, claimed)
    return id
  }

  async function again(id: number, runner: string): Promise<void> {
    await db.updateTable('jobs').set({ state: 'queued' }).where('id', '=', id).execute()
    const claimed = await claimJob(ctx, id, runner)
    if (claimed) await startJob(ctx, claimed)
  }

  test('with several jobs blames none of them, however often', async () => {
    const ids = [await startOn('one'), await startOn('one')]
    for (let kills = 1; kills <= 5; kills++) {
      await age(db, 61)
      await sweepAgain(ctx, sweepSeconds)
      for (const id of ids) expect(await job(id)).toMatchObject({ state: 'created', resets: 0 })
      for (const id of ids) await again(id, 'one')
    }
  })

  test('also loses a job whose lease it renewed seconds later', async () => {
    const [first, second] = [await startOn('one'), await startOn('one')]
    await age(db, 61)
    await db
      .updateTable('leases')
      .set({ renewed_at: new Date() })
      .where('job_id', '=', second)
      .execute()
    await reclaimJobs(ctx)
    expect(await job(first)).toMatchObject({ state: 'created', resets: 0 })
    expect(await job(second)).toMatchObject({ state: 'started' })
  })

  test('loses all of its jobs at once, even if their leases end at different times', async () => {
    const ids = [await startOn('one'), await startOn('one')]
    await age(db, 61)
    const [, second = 0] = ids
    const renewed_at = sql<Date>`renewed_at + interval '4 seconds'`
    await db.updateTable('leases').set({ renewed_at }).where('job_id', '=', second).execute()
    await reclaimJobs(ctx)
    for (const id of ids) expect(await job(id)).toMatchObject({ state: 'created', resets: 0 })
  })

  test('with the same job three times ends that job as errored, in one transaction', async () => {
    const id = await startOn('one')
    for (const runner of ['two', 'three']) {
      await age(db, 61)
      await sweepAgain(ctx, sweepSeconds)
      expect(await job(id)).toMatchObject({ state: 'created' })
      await again(id, runner)
    }
    await age(db, 61)
    await sweepAgain(ctx, sweepSeconds)
    expect(await job(id)).toMatchObject({ state: 'errored', attempt: 3 })
    expect(await db.selectFrom('builds').select('state').execute()).toEqual([{ state: 'errored' }])
    const [part] = await partsOfLog(db, id)
    expect(part?.content).toContain('started 3 times and never finished: its runner was lost')
    expect(part?.final).toBe(true)
  })
})

describe('a machine that ends several of its jobs', () => {
  /** For jobs that are lost at these seconds: how many others were lost along with each. */
  async function others(...at: readonly number[]): Promise<number[]> {
    const waiting: { until: number; go: () => void }[] = []
    let now = 0
    const losses = createLosses(
      (seconds) => new Promise<void>((go) => void waiting.push({ until: now + seconds, go })),
    )
    const found: Promise<number>[] = []
    for (; now <= 20; now++) {
      for (const { until, go } of waiting) if (until === now) go()
      await immediate()
      if (at.includes(now)) found.push(losses.others())
    }
    return Promise.all(found)
  }

  test('does not count against any of the jobs', async () => {
    expect(await others(0)).toEqual([0])
    expect(await others(0, 2)).toEqual([1, 1])
    expect(await others(0, 9)).toEqual([0, 0])
  })
})

describe('a runner that cannot start jobs', () => {
  const problems = ['the disk is full', 'the disk is full', undefined]

  async function rested(given: readonly (string | undefined)[]) {
    const steps: unknown[] = []
    await registerRunner(db, {
      ...{ id: 'one', isolation: 'sandbox', version: '1', os: 'linux', arch: 'amd64' },
      ...{ host: 'machine', executor: 'process', slots: 1 },
    })
    const left = [...given]
    const rest = createRest({
      ctx,
      id: 'one',
      executor: { tryOut: async () => left.shift() },
      stopping: new AbortController().signal,
      async pause(seconds) {
        const [runner] = await liveRunners(db)
        steps.push([seconds, runner?.problem])
      },
    })
    rest.guard({
      pause: async () => void steps.push('pause'),
      resume: () => void steps.push('resume'),
    })
    await Promise.all([rest.consider(), rest.consider()])
    return { steps, problem: (await liveRunners(db))[0]?.problem }
  }

  test('claims none until it can start jobs again, and reports the reason', async () => {
    expect(await rested(problems)).toEqual({
      steps: ['pause', [5, 'the disk is full'], [10, 'the disk is full'], 'resume'],
      problem: null,
    })
  })

  test('goes on if a test job works: the cause was the job', async () => {
    expect(await rested([undefined])).toEqual({ steps: [], problem: null })
  })

  test('tests its machine with a program of its own', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'faults-machine-'))
    await chmod(folder, 0o711)
    const workDir = path.join(folder, 'work')
    await mkdir(workDir, { mode: 0o711 })
    const executor = createProcessExecutor({ workDir, runnerId: 'one' })
    onTestFinished(async () => {
      await executor.close()
      await rm(folder, { recursive: true })
    })
    expect(await executor.tryOut()).toBeUndefined()
    await rename(workDir, `${workDir}-away`)
    await writeFile(workDir, 'in the way')
    expect(await executor.tryOut()).toContain('ENOTDIR')
  })
})
