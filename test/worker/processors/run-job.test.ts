import { beforeEach, expect, test } from 'vitest'
import { CodehostError } from '../../../src/codehost/codehost.ts'
import { canceledBecause } from '../../../src/domain/job/cancellation.ts'
import { cancelJob } from '../../../src/flow/jobs/cancel-job.ts'
import { Postponed } from '../../../src/queue/work.ts'
import { findJob } from '../../../src/store/jobs/jobs.ts'
import { registerRunner } from '../../../src/store/jobs/runners.ts'
import { secondsAgo } from '../../../src/store/sql/age.ts'
import type { Tools } from '../../../src/worker/processor.ts'
import { runJobs } from '../../../src/worker/processors/run-job.ts'
import { settled } from '../../runner/clock.ts'
import { createFakeMachine, type FakeMachine } from '../../runner/fake-executor.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { type MemoryCodehost, memoryCodehost } from '../../support/memory-codehost.ts'
import { toolsOf } from '../../support/worker-tools.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let machine: FakeMachine
let tools: Tools

beforeEach(() => {
  codehost = memoryCodehost()
  machine = createFakeMachine()
  tools = toolsOf(testContext(db, { codehost }), machine.executor)
})

const failWith = (failure: CodehostError) => {
  codehost.cloneSource = () => Promise.reject(failure)
}

const logOf = async (id: number) =>
  (await db.selectFrom('log_parts').select('content').where('log_id', '=', id).execute())
    .map(({ content }) => content)
    .join('')

test('a job takes the state that its run ends in', async () => {
  const { id } = await make.job({ state: 'queued' })
  machine.exit(1)
  await runJobs.process({ job_id: id }, tools)
  expect(await findJob(db, id)).toMatchObject({ state: 'failed', attempt: 1 })
})

test('a job keeps the version that it ran with where another was requested', async () => {
  const { id } = await make.job({ state: 'queued' })
  // The output comes in pieces, and what git and the programs of a job print is no version.
  machine.print('service_found:1\r\u001B[0Kservice_fold:end:sys')
  machine.print('tem_info\r\u001B[0Kservice_fo')
  machine.print('und:20.20.2\r\u001B[0Kservice_found:9\r\u001B[0K\r\n')
  machine.exit(0)
  await runJobs.process({ job_id: id }, tools)
  expect(await findJob(db, id)).toMatchObject({ state: 'passed', found_version: '20.20.2' })
  // Its own line is for the runner alone.
  expect(await logOf(id)).toContain(
    'service_fold:end:system_info\r\u001B[0Kservice_found:9\r\u001B[0K\r\n',
  )
})

test.each([
  ['by a line of a user', 'service_time:start:0a\r\u001B[0K$ x\r\nservice_found:9\r'],
  ['as another text', 'service_found:9.9.visit-evil.example\r'],
])('a version that is printed %s is none', async (_how, printed) => {
  const { id } = await make.job({ state: 'queued' })
  machine.print(`service_fold:end:system_info\r\u001B[0K${printed}\u001B[0K\r\n`)
  machine.exit(0)
  await runJobs.process({ job_id: id }, tools)
  expect(await findJob(db, id)).toMatchObject({ state: 'passed', found_version: null })
})

test('a job that ended with an error keeps the reason that its log ends with', async () => {
  const { id } = await make.job({ state: 'queued' })
  machine.print('\u001B[31;1mFirst.\u001B[0m\r\n\u001B[31;1mThe command "npm ci" fai')
  machine.print('led and exited with 1 during install.\u001B[0m\r\n')
  machine.print('\u001B[31;1mThe job has been stopped: no later phase is run.\u001B[0m\r\n')
  machine.exit(2)
  await runJobs.process({ job_id: id }, tools)
  const reason = 'The command "npm ci" failed and exited with 1 during install.'
  expect(await findJob(db, id)).toMatchObject({ state: 'errored', reason })
})

test('a job that failed has a result, and no reason', async () => {
  const { id } = await make.job({ state: 'queued' })
  machine.print('\u001B[31;1mThe command "npm test" exited with 1.\u001B[0m\r\n')
  machine.exit(1)
  await runJobs.process({ job_id: id }, tools)
  expect(await findJob(db, id)).toMatchObject({ state: 'failed', reason: null })
})

test('a job on another machine than it asks for says on which it ran', async () => {
  const { id } = await make.job({ state: 'queued', os: 'osx' })
  machine.exit(0)
  const ctx = { ...tools.ctx, config: { ...tools.ctx.config, otherMachines: 'run' as const } }
  await runJobs.process({ job_id: id }, { ...tools, ctx })
  const found = { unmet: 'os osx', found_machine: 'linux on amd64' }
  expect(await findJob(db, id)).toMatchObject({ state: 'passed', ...found })
})

/** Lets the machine's jobs end only once this is called. */
function holdEnds(): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { executor } = machine
  const { start } = executor
  executor.start = async (spec, signal) => {
    const running = await start(spec, signal)
    const { dispose } = running
    return { ...running, dispose: () => released.then(dispose) }
  }
  return release
}

test('a restarted job waits until its canceled attempt has ended, or must have, on any runner', async () => {
  const { id } = await make.job({ state: 'queued' })
  const release = holdEnds()
  const other = createFakeMachine()
  const { runner } = tools
  if (!runner) throw new Error('there is no runner')
  const { executor } = other
  const beside = { ...runner, id: 'machine-2', executor, running: new Set<number>() }
  const onOther = () => runJobs.process({ job_id: id }, { ...tools, runner: beside })
  const restart = (attempt: number) =>
    db.updateTable('jobs').set({ state: 'queued', attempt }).where('id', '=', id).execute()
  const ending = () => db.selectFrom('ending_runs').select(['job_id', 'attempt']).execute()

  const first = runJobs.process({ job_id: id }, tools)
  while ((await findJob(db, id))?.state !== 'started') await settled()
  await cancelJob(tools.ctx, canceledBecause('of a test'), id)
  await restart(2)
  expect(await ending()).toEqual([{ job_id: id, attempt: 1 }])
  await expect(onOther()).rejects.toBeInstanceOf(Postponed)
  await expect(runJobs.process({ job_id: id }, tools)).rejects.toBeInstanceOf(Postponed)

  // A runner that is dead does not say that a run has ended.
  const past = { ended_by: secondsAgo(1) }
  await db.updateTable('ending_runs').set(past).execute()
  other.exit(0)
  await onOther()
  expect(await findJob(db, id)).toMatchObject({ state: 'passed', attempt: 2 })

  machine.exit(0)
  release()
  await first
  expect(await ending()).toEqual([])
  expect(await findJob(db, id)).toMatchObject({ state: 'passed', attempt: 2 })
})

test('a job whose token is refused is tried again with another, and not for ever', async () => {
  const { id } = await make.job({ state: 'queued' })
  const asked: unknown[] = []
  codehost.cloneSource = (ref, options) => {
    asked.push(options)
    return memoryCodehost().cloneSource(ref, options)
  }
  const refused = 'the code host refused its own token for fetching the commit'
  machine.exit({ kind: 'refused' })
  await runJobs.process({ job_id: id }, tools)
  const waiting = { state: 'created', retries: 1, resets: 0, retry_reason: refused }
  expect(await findJob(db, id)).toMatchObject(waiting)
  await db.updateTable('jobs').set({ state: 'queued' }).execute()
  machine.exit({ kind: 'refused' })
  await runJobs.process({ job_id: id }, tools)
  expect(await findJob(db, id)).toMatchObject({ state: 'errored' })
  expect(await logOf(id)).toContain(`The commit cannot be fetched: ${refused}. Nothing was run`)
  expect(asked).toEqual([false, true].map((isNew) => ({ withToken: true, isNew })))
})

test('a job whose code host is unreachable stays queued, and shows why', async () => {
  const { id } = await make.job({ state: 'queued' })
  const away = new CodehostError('it answered 503', { kind: 'away' })
  failWith(away)
  await expect(runJobs.process({ job_id: id }, tools)).rejects.toBe(away)
  expect(await findJob(db, id)).toMatchObject({
    state: 'queued',
    attempt: 1,
    resets: 0,
    checks: [{ rule: 'codehost', passed: false, values: { says: 'it answered 503' } }],
  })
  expect(machine.done).toEqual([])

  codehost.cloneSource = memoryCodehost().cloneSource
  machine.exit(0)
  await runJobs.process({ job_id: id }, tools)
  expect(await findJob(db, id)).toMatchObject({ state: 'passed', attempt: 1, checks: [] })
})

test('a job whose commit is refused for good is errored, with the reason in its log', async () => {
  const { id } = await make.job({ state: 'queued' })
  failWith(new CodehostError('the app is not installed on octavia/hello', { kind: 'refused' }))
  await runJobs.process({ job_id: id }, tools)
  expect(await findJob(db, id)).toMatchObject({ state: 'errored', attempt: 1, resets: 0 })
  expect(machine.done).toEqual([])
  expect(await logOf(id)).toContain(
    'The commit cannot be fetched: the app is not installed on octavia/hello. ' +
      'Nothing was run; restart the job when that is fixed.',
  )
})

test.each(['created', 'canceled', 'started', 'passed'] as const)(
  'of a %s job nothing is asked',
  async (state) => {
    const { id } = await make.job({ state })
    failWith(new CodehostError('it answered 503', { kind: 'away' }))
    await runJobs.process({ job_id: id }, tools)
    expect(await findJob(db, id)).toMatchObject({ state, attempt: 1 })
  },
)

test('a job that no one approved is left alone once the engine no longer keeps root in check', async () => {
  tools.ctx.config = { ...tools.ctx.config, forkApproval: 'never' }
  const build = await make.build({ without_approval: true })
  const { id } = await make.job({ build, state: 'queued' })
  await registerRunner(db, {
    ...{ id: 'machine-2', version: '1', host: 'h', executor: 'docker', isolation: 'container' },
    ...{ slots: 1, os: 'linux', arch: 'amd64', queues: null, without_approval: true },
  })
  machine.exit(0)
  const { executor } = machine
  const probe = await executor.probe()
  executor.probe = async () => ({ ...probe, confines_root: false })
  await expect(runJobs.process({ job_id: id }, tools)).rejects.toThrow(Postponed)
  expect(await findJob(db, id)).toMatchObject({ state: 'queued' })
  executor.probe = async () => ({ ...probe, confines_root: true })
  await runJobs.process({ job_id: id }, tools)
  expect(await findJob(db, id)).toMatchObject({ state: 'passed' })
})
