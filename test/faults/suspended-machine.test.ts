import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type JobRun, runJob } from '../../src/runner/run-job.ts'
import { createClock } from '../runner/clock.ts'
import { createFakeMachine } from '../runner/fake-executor.ts'

const job: JobRun = {
  spec: {
    job_id: 1,
    run_id: '1-1',
    steps: [{ name: 'job', script: 'make' }],
    inputs: [],
    limits: {},
    network: true,
    deadline_seconds: 4000,
  },
  secrets: [],
  limits: { hard_seconds: 3000, silence_seconds: 600, log_bytes: 10_000 },
  worker_info: {},
  started: async () => true,
  sink: async () => {},
}

test('the time in which its machine is suspended does not count towards the limits of a job', async () => {
  const machine = createFakeMachine()
  const timers = createClock()
  const outcome = runJob(machine.executor, { ...job, timers }, new AbortController().signal)
  await timers.pass(300_000)
  await timers.sleep(86_400_000)
  await timers.pass(200_000)
  machine.print('still here')
  await timers.pass(10_000)
  machine.exit(0)
  await timers.pass(1000)
  expect(await outcome).toEqual({ state: 'passed' })
})

test('a job that stays silent after its machine resumes is ended', async () => {
  const machine = createFakeMachine()
  const timers = createClock()
  const outcome = runJob(machine.executor, { ...job, timers }, new AbortController().signal)
  await timers.pass(300_000)
  await timers.sleep(86_400_000)
  await timers.pass(305_000)
  expect(machine.done).toContain('kill')
  expect(await outcome).toEqual({
    state: 'errored',
    reason: 'The job printed nothing for 10 minutes and was ended, because it seemed to hang.',
  })
})

test('a runner that is stopped for longer than the silence limit ends no job because of it', async () => {
  const workDir = await mkdtemp(path.join(tmpdir(), 'faults-suspended-'))
  await chmod(workDir, 0o711)
  onTestFinished(() => rm(workDir, { recursive: true, force: true }))
  const program = path.join(import.meta.dirname, 'stopped-runner.ts')
  const runner = spawn(process.execPath, ['--import', 'tsx', program, workDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const ended = once(runner, 'exit')
  for await (const chunk of runner.stdout) {
    lines.push(String(chunk).trim())
    if (lines.length > 1) continue
    // The job prints again two seconds later, which is within its limits.
    runner.kill('SIGSTOP')
    await pause(7000)
    runner.kill('SIGCONT')
  }
  await ended
  expect(lines).toEqual(['running', 'passed'])
})
