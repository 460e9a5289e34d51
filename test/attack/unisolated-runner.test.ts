import { execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isolationCheck } from '../../src/domain/job/isolation.ts'
import type { Job } from '../../src/domain/job/job.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { Postponed } from '../../src/queue/work.ts'
import { defaultImageMap } from '../../src/script/images/image-map.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { markStopped, registerRunner } from '../../src/store/jobs/runners.ts'
import { createLosses } from '../../src/worker/losses.ts'
import type { Tools } from '../../src/worker/processor.ts'
import { runJobs } from '../../src/worker/processors/run-job.ts'
import { createFakeMachine, type FakeMachine } from '../runner/fake-executor.ts'
import { age } from '../support/age.ts'
import { outcomeOf, program, scratchFolder } from '../support/command.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { type Need, needs } from '../support/needs.ts'

const db = await testDatabase()
const make = factories(db)

const ownerOf = ({ owner_id, owner_type }: Job) => ({ owner_id, owner_type })
const waiting = { state: 'created', attempt: 1, queued_at: null }

async function runner(id: string, isolation: string): Promise<void> {
  await registerRunner(db, {
    ...{ id, isolation, os: 'linux', arch: 'amd64' },
    ...{ version: '1', host: 'machine', executor: 'process', slots: 1 },
  })
}

function toolsOf(ctx: TestContext, { executor }: FakeMachine): Tools {
  const stopping = new AbortController().signal
  const rest = { guard() {}, isResting: () => false, consider: async () => {} }
  const receive = () => Promise.reject(new Error('nobody delivers'))
  const linux = { os: 'linux', arch: 'amd64' }
  const alone = { slots: 1, isAlone: () => true }
  const machine = { id: 'machine-1', executor, version: '1', machine: linux, ...alone }
  return {
    ctx,
    receive,
    runner: {
      ...machine,
      stopping,
      rest,
      losses: createLosses(),
      running: new Set<number>(),
      isWatched: () => false,
      images: defaultImageMap,
      dockerInJobs: [],
      queues: null,
      jobLimits: {},
    },
  }
}

const trusting = (ctx: TestContext): TestContext => ({
  ...ctx,
  config: { ...ctx.config, jobsWithoutIsolation: true },
})

const codehosts = { codehost: memoryCodehost(), local: memoryCodehost() }

describe('a job of a repository at a real code host', () => {
  test('is not enqueued while no runner can isolate it, and explains the remedy', async () => {
    const ctx = testContext(db)
    await runner('one', 'none')
    const job = await make.job()
    await scheduleJobs(ctx, ownerOf(job))
    const found = await findJob(db, job.id)
    expect(found).toMatchObject(waiting)
    expect(found?.checks.filter(({ passed }) => !passed)).toEqual([isolationCheck(false)])
    expect(ctx.enqueued).toEqual([])
  })

  test.each(['tree', 'sandbox'])('is enqueued when another runner has level %s', async (level) => {
    const ctx = testContext(db)
    await runner('one', 'none')
    await runner('two', level)
    const job = await make.job()
    await scheduleJobs(ctx, ownerOf(job))
    expect(ctx.enqueued).toEqual([{ name: 'job.run', payload: { job_id: job.id } }])
  })

  test('is not enqueued for a stopped or silent runner', async () => {
    const ctx = testContext(db)
    await runner('stopped', 'sandbox')
    await markStopped(db, 'stopped')
    await runner('silent', 'sandbox')
    await age(db, 120)
    await runner('one', 'none')
    const job = await make.job()
    await scheduleJobs(ctx, ownerOf(job))
    expect(await findJob(db, job.id)).toMatchObject(waiting)
  })

  test('is not run by a runner without isolation, even from the queue', async () => {
    const machine = createFakeMachine({ isolation: 'none' })
    const { id } = await make.job({ state: 'queued' })
    await runJobs.process({ job_id: id }, toolsOf(testContext(db, codehosts), machine))
    expect(await findJob(db, id)).toMatchObject({ ...waiting, checks: [isolationCheck(false)] })
    expect(machine.done).toEqual([])
  })

  test('is left by a runner without isolation to an isolating runner', async () => {
    const machine = createFakeMachine({ isolation: 'none' })
    await runner('one', 'none')
    await runner('two', 'sandbox')
    const { id } = await make.job({ state: 'queued' })
    const taking = runJobs.process({ job_id: id }, toolsOf(testContext(db, codehosts), machine))
    await expect(taking).rejects.toBeInstanceOf(Postponed)
    expect(await findJob(db, id)).toMatchObject({ state: 'queued', attempt: 1, checks: [] })
    expect(machine.done).toEqual([])
  })

  test('is run without isolation if the operator allows it', async () => {
    const machine = createFakeMachine({ isolation: 'none' })
    machine.exit(0)
    const ctx = trusting(testContext(db, codehosts))
    await runner('one', 'none')
    const job = await make.job()
    await scheduleJobs(ctx, ownerOf(job))
    await runJobs.process({ job_id: job.id }, toolsOf(ctx, machine))
    expect(await findJob(db, job.id)).toMatchObject({ state: 'passed', checks: [] })
  })
})

test('a job of a repository of this machine is run without isolation', async () => {
  const machine = createFakeMachine({ isolation: 'none' })
  machine.exit(0)
  const ctx = testContext(db, codehosts)
  await runner('one', 'none')
  const repository = await make.repository({ provider: 'local' })
  const job = await make.job({ build: await make.build({ repository }) })
  await scheduleJobs(ctx, ownerOf(job))
  await runJobs.process({ job_id: job.id }, toolsOf(ctx, machine))
  expect(await findJob(db, job.id)).toMatchObject({ state: 'passed' })
})

/** Runs the command where the kernel allows no namespaces, as an ordinary user. */
function unisolated(args: string[], settings: Record<string, string>) {
  const limit = 'echo 1 > /proc/sys/user/max_user_namespaces'
  const inner = 'exec unshare --user --map-user=1000 --map-group=1000 "$@"'
  const outer = ['--user', '--map-root-user', 'bash', '-c', `${limit} && ${inner}`, 'bash']
  const env = { PATH: process.env.PATH, DATA_DIR: scratchFolder(), PORT: '0', ...settings }
  return spawn('unshare', [...outer, process.execPath, program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function app(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const PRIVATE_KEY_PATH = path.join(scratchFolder(), 'app.pem')
  writeFileSync(PRIVATE_KEY_PATH, privateKey.export({ type: 'pkcs1', format: 'pem' }))
  return { APP_ID: '7', WEBHOOK_SECRET: 'secret', PRIVATE_KEY_PATH, GHE_HOST: 'localhost:1' }
}

const namespaces: Need = {
  tests: 'of a machine that cannot isolate jobs',
  missing: canUnshare() ? undefined : 'the kernel allows no user namespaces',
}

describe('at level none', needs(namespaces), () => {
  const advice =
    'jobs of the code host’s repositories wait, because this machine cannot isolate them: ' +
    'install bubblewrap on the machine of the runner, or set JOBS_WITHOUT_ISOLATION=true'

  test.each([
    ['the app is set up', {}, true],
    ['the operator trusts everyone', { JOBS_WITHOUT_ISOLATION: 'true' }, false],
  ])('doctor reports missing isolation when %s', async (_, settings, said) => {
    const { stdout } = await outcomeOf(unisolated(['doctor'], { ...app(), ...settings }))
    expect(stdout).toContain('jobs run without isolation')
    expect(stdout.includes(advice)).toBe(said)
  })

  test('doctor does not report missing isolation in local mode', async () => {
    const { stdout } = await outcomeOf(unisolated(['doctor'], {}))
    expect(stdout).toContain('jobs run without isolation')
    expect(stdout).not.toContain(advice)
  })

  test('the service reports missing isolation when it starts', async () => {
    const service = unisolated(['start'], { ...app(), LOG_FORMAT: 'json' })
    let text = ''
    for await (const chunk of service.stderr ?? []) {
      text += String(chunk)
      if (text.includes('checks whether they arrive')) break
    }
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
    expect(text).toContain(advice)
  })
})

function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
