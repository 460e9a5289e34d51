import { describe, expect, test } from 'vitest'
import type { LogPart } from '../../src/domain/log/log.ts'
import { type JobSpec, StartError } from '../../src/runner/executor.ts'
import { type JobRun, runJob } from '../../src/runner/run-job.ts'
import type { AbortReason } from '../../src/runner/verdict.ts'
import { createClock, settled } from './clock.ts'
import { createFakeMachine, type FakeMachine } from './fake-executor.ts'

const spec: JobSpec = {
  job_id: 7,
  run_id: '7-1',
  steps: [{ name: 'job', script: 'make' }],
  inputs: [],
  limits: { memory_bytes: 1_000_000 },
  network: true,
  deadline_seconds: 4000,
}

const fold =
  'service_fold:start:worker_info\r\u001B[0K\u001B[33;1mWorker information\u001B[0m\r\n' +
  'runner: r1\r\nstartup: 0.00 s\r\nservice_fold:end:worker_info\r\u001B[0K'

/** Runs a job on a fake machine; by default for at most an hour, ten minutes of silence, 10 kB. */
function begin(machine: FakeMachine, changes: Partial<JobRun> = {}, given?: AbortSignal) {
  const clock = createClock()
  const controller = new AbortController()
  const saved: LogPart[] = []
  const job: JobRun = {
    spec,
    secrets: ['hunter2'],
    limits: { hard_seconds: 3600, silence_seconds: 600, log_bytes: 10_000 },
    worker_info: { runner: 'r1' },
    async started() {
      machine.done.push('started')
      return true
    },
    async sink(parts) {
      saved.push(...parts)
    },
    timers: clock,
    ...changes,
  }
  const outcome = runJob(machine.executor, job, given ?? controller.signal)
  return {
    clock,
    outcome,
    saved,
    abort: (reason: AbortReason) => controller.abort(reason),
    /** The text of the log after the fold at its top. */
    text: () =>
      saved
        .map(({ content }) => content)
        .join('')
        .replace(fold, ''),
    isClosed: () => saved.at(-1)?.final === true,
  }
}

const red = (text: string) => `\u001B[0m\r\n\r\n\u001B[31;1m${text}\u001B[0m\r\n`

describe('a job that ends by itself', () => {
  test.each([
    [0, 'passed'],
    [1, 'failed'],
    [2, 'errored'],
    [255, 'errored'],
  ])('with code %i is %s', async (code, state) => {
    const machine = createFakeMachine()
    const { outcome, saved } = begin(machine)
    machine.print('it is hunter2\r\n')
    machine.exit(code)

    expect(await outcome).toEqual({ state })
    expect(saved).toEqual([
      { number: 1, content: `${fold}it is [secure]\r\n`, final: false },
      { number: 2, content: '', final: true },
    ])
    expect(machine.done).toEqual(['start', 'started', 'dispose', 'dispose'])
  })

  test.each([
    ['part of a line', 137, 'SIGKILL'],
    ['Done. The exit code of the job is 0.\r\n', 137, 'SIGKILL'],
    ['', 129, 'SIGHUP'],
  ])('after "%s" with code %i is errored, and its log names %s', async (output, code, signal) => {
    const machine = createFakeMachine()
    const { outcome, text } = begin(machine)
    machine.print(output)
    machine.exit(code)
    expect(await outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
    expect(text()).toContain(
      `The job was ended by ${signal} (exit code ${code}) before it finished`,
    )
  })

  test('with exit code 137 that it prints itself is errored, without a second explanation in its log', async () => {
    const machine = createFakeMachine()
    const { outcome, text } = begin(machine)
    machine.print('\r\nDone. The exit code of the')
    machine.print(' job is 137.\r\n')
    machine.exit(137)
    expect(await outcome).toEqual({ state: 'errored' })
    expect(text()).toBe('\r\nDone. The exit code of the job is 137.\r\n')
  })

  test.each([
    ['', 0, 'passed', 'Done. The exit code of the job is 0.', 'ended by'],
    ['', 1, 'failed', 'Done. The exit code of the job is 1.', 'ended by'],
    ['', 143, 'errored', 'The job was ended by SIGTERM (exit code 143)', 'Done.'],
    [' with 1', 143, 'errored', 'The job was ended by SIGTERM (exit code 143)', 'Done.'],
    [' with 143', 143, 'errored', 'Done. The exit code of the job is 143.', 'ended by'],
    [' with 5', 0, 'passed', 'Done. The exit code of the job is 0.', 'ended by'],
  ])(
    'whose shell ended%s gets the matching last line for exit code %i',
    async (with_code, code, ...row) => {
      const [state, says, others] = row
      const machine = createFakeMachine()
      const { outcome, text } = begin(machine)
      machine.print(
        `\u001B[33;1mThe command "x" ended the shell${with_code} during script.\u001B[0m\r\n`,
      )
      machine.exit(code)
      expect(await outcome).toMatchObject({ state })
      expect(text()).toContain(says)
      expect(text()).not.toContain(others)
    },
  )

  test('because it ran out of memory is errored, and its log names the limit', async () => {
    const machine = createFakeMachine()
    const { outcome, text } = begin(machine)
    machine.exit({ kind: 'out_of_memory' })
    expect(await outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
    expect(text()).toBe(
      red('The job needed more memory than its limit of 1,000,000 bytes and was ended.'),
    )
  })

  test('because it ran out of disk is errored, and its log names the limit', async () => {
    const machine = createFakeMachine()
    const { outcome, text } = begin(machine, {
      spec: { ...spec, limits: { disk_bytes: 2_000_000 } },
    })
    machine.exit({ kind: 'out_of_disk' })
    expect(await outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
    expect(text()).toBe(
      red(
        'The files of the job took more than their limit of 2,000,000 bytes, and the job was ended.',
      ),
    )
  })

  test('leaves no timer running', async () => {
    const machine = createFakeMachine()
    const { outcome, clock } = begin(machine)
    machine.exit(0)
    await outcome
    expect(clock.waiting()).toBe(0)
  })
})

describe('a job that is handed back', () => {
  test('because it was lost leaves its log open, with the output so far', async () => {
    const machine = createFakeMachine()
    const { outcome, text, isClosed } = begin(machine)
    machine.print('half of it')
    machine.exit({ kind: 'lost', why: 'the engine is gone' })
    expect(await outcome).toEqual({ again: 'the engine is gone' })
    expect(text()).toContain('half of it')
    expect(isClosed()).toBe(false)
  })

  test('because its output broke off is killed', async () => {
    const machine = createFakeMachine()
    const { outcome } = begin(machine)
    machine.breakOff(new Error('EPIPE'))
    expect(await outcome).toEqual({ again: "the job's output could not be read: Error: EPIPE" })
    expect(machine.done).toContain('kill')
  })

  test('because the runner stops is killed', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, isClosed } = begin(machine)
    await settled()
    abort({ kind: 'shutdown' })
    expect(await outcome).toEqual({ again: 'its runner was stopped' })
    expect(machine.done).toEqual(['start', 'started', 'kill', 'dispose', 'dispose'])
    expect(isClosed()).toBe(false)
  })

  test('because another runner has claimed it is killed, and nothing more is written', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock, saved } = begin(machine)
    await clock.pass(20)
    const before = [...saved]
    machine.print('more')
    await settled()
    abort({ kind: 'taken' })
    expect(await outcome).toEqual({ again: 'taken' })
    expect(saved).toEqual(before)
    expect(machine.done).toEqual(['start', 'started', 'kill', 'dispose', 'dispose'])
  })

  test('because its lease was lost before its machine was ready is killed, and its output is not stored', async () => {
    const machine = createFakeMachine()
    const { outcome, saved } = begin(machine, { started: async () => false })
    machine.print('never seen')
    expect(await outcome).toEqual({ again: 'taken' })
    expect(machine.done).toEqual(['start', 'kill', 'dispose', 'dispose'])
    expect(saved).toEqual([])
  })
})

describe('a job that is ended', () => {
  test('after its time limit is errored', async () => {
    const machine = createFakeMachine()
    const { outcome, clock, text, isClosed } = begin(machine)
    for (let minute = 0; minute < 60; minute++) {
      expect(machine.done).not.toContain('kill')
      machine.print('.')
      await clock.pass(60_000)
    }
    expect(await outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
    expect(text()).toBe(
      '.'.repeat(60) +
        red('The job ran for 60 minutes, the maximum duration of a job, and was terminated.') +
        'This limit is the setting timeout_hard_limit of the repository, or else JOB_MINUTES of the ' +
        'service.\r\n',
    )
    expect(isClosed()).toBe(true)
    expect(clock.waiting()).toBe(0)
  })

  test('after its silence limit is errored', async () => {
    const machine = createFakeMachine()
    const { outcome, clock, text } = begin(machine)
    await clock.pass(599_000)
    machine.print('\r')
    await clock.pass(599_999)
    expect(machine.done).not.toContain('kill')
    await clock.pass(1)
    expect(await outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
    expect(text()).toContain('The job printed nothing for 10 minutes and was ended')
    expect(text()).toContain('timeout_log_silence of the repository, or else SILENCE_MINUTES')
  })

  test('with too much output is errored, and keeps its output up to the limit', async () => {
    const machine = createFakeMachine()
    const { outcome, text } = begin(machine)
    machine.print('x'.repeat(9000))
    machine.print('y'.repeat(9000))
    machine.print('z'.repeat(9000))
    expect(await outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
    expect(text()).toBe(
      `${'x'.repeat(9000)}${'y'.repeat(1000 - fold.length)}` +
        red(
          'The log reached 10,000 bytes, the maximum size of a log. The rest of the output is ' +
            'not shown, and the job was terminated.',
        ) +
        'Print less, or write to a file. ' +
        'The operator can change this limit with the setting LOG_LIMIT.\r\n',
    )
    expect(machine.done).toEqual(['start', 'started', 'kill', 'dispose', 'dispose'])
  })

  test('because a user canceled it is canceled, and its log names the reason', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, text, isClosed } = begin(machine)
    machine.print('it is hunt')
    await settled()
    abort({ kind: 'canceled', reason: 'canceled because somebody said hunter2' })
    expect(await outcome).toEqual({ state: 'canceled' })
    expect(text()).toBe(`it is ${red('The job was canceled because somebody said [secure].')}`)
    expect(isClosed()).toBe(true)
  })

  test('for two reasons reports the first one', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock, text } = begin(machine)
    await clock.pass(600_000)
    abort({ kind: 'canceled', reason: 'canceled by octavia' })
    expect(await outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
    expect(text()).toContain('printed nothing')
    expect(text()).not.toContain('canceled')
  })
})

describe('a job that has a grace time', () => {
  const limits = { hard_seconds: 3600, silence_seconds: 600, log_bytes: 10_000, grace_seconds: 5 }
  const canceled = { kind: 'canceled', reason: 'canceled by octavia' } as const
  const wasCanceled = red('The job was canceled by octavia.')
  const errored = { state: 'errored', reason: expect.any(String) as string }
  const ended = ['kill', 'dispose', 'dispose']

  test('tidies up when it is canceled, and shows what it prints', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock, text, isClosed } = begin(machine, { limits })
    machine.print('working\r\n')
    await settled()
    abort(canceled)
    await clock.pass(4000)
    machine.print('tidied hunter2')
    machine.exit(9)
    expect(await outcome).toEqual({ state: 'canceled' })
    expect(machine.done).toEqual(['start', 'started', 'terminate', 'dispose', 'dispose'])
    expect(text()).toBe(`working\r\ntidied [secure]${wasCanceled}`)
    expect(isClosed()).toBe(true)
    expect(clock.waiting()).toBe(0)
  })

  test('is killed when the grace time has passed', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock, text } = begin(machine, { limits })
    await settled()
    abort(canceled)
    await clock.pass(4999)
    machine.print('not yet\r\n')
    await settled()
    expect(machine.done).toEqual(['start', 'started', 'terminate'])
    await clock.pass(1)
    expect(await outcome).toEqual({ state: 'canceled' })
    expect(machine.done).toEqual(['start', 'started', 'terminate', ...ended])
    expect(text()).toBe(`not yet\r\n${wasCanceled}`)
    expect(clock.waiting()).toBe(0)
  })

  test('is killed when its runner stops during the grace time', async () => {
    const machine = createFakeMachine()
    const stopping = new AbortController()
    const { outcome, abort, clock } = begin(machine, { limits, stopping: stopping.signal })
    await settled()
    abort(canceled)
    await clock.pass(1)
    expect(machine.done).toEqual(['start', 'started', 'terminate'])
    stopping.abort()
    expect(await outcome).toEqual({ state: 'canceled' })
    expect(machine.done).toEqual(['start', 'started', 'terminate', ...ended])
    expect(clock.waiting()).toBe(0)
  })

  test('is killed after the grace time even if its log cannot be saved', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock } = begin(machine, {
      limits: { ...limits, log_bytes: 100_000_000 },
      sink: () => new Promise(() => {}),
    })
    for (let count = 0; count < 100; count++) machine.print('x'.repeat(70_000))
    await settled()
    abort(canceled)
    await clock.pass(5000)
    expect(machine.done).toContain('kill')
    await clock.pass(30_000)
    expect(await outcome).toEqual({ state: 'canceled' })
  })

  test('of 0 seconds is killed immediately', async () => {
    const machine = createFakeMachine()
    const { outcome, abort } = begin(machine, { limits: { ...limits, grace_seconds: 0 } })
    await settled()
    abort(canceled)
    expect(await outcome).toEqual({ state: 'canceled' })
    expect(machine.done).toEqual(['start', 'started', ...ended])
  })

  test.each([
    ['the time limit', { ...limits, hard_seconds: 300 }, 300_000, 'The job ran for 5 minutes'],
    ['the silence limit', limits, 600_000, 'The job printed nothing for 10 minutes'],
  ])('tidies up after %s', async (_, limits, ms, reason) => {
    const machine = createFakeMachine()
    const { outcome, clock, text } = begin(machine, { limits })
    await clock.pass(ms)
    expect(machine.done).toEqual(['start', 'started', 'terminate'])
    machine.print('tidied')
    machine.exit(0)
    expect(await outcome).toEqual(errored)
    expect(text()).toMatch(/^tidied/)
    expect(text()).toContain(reason)
    expect(machine.done).not.toContain('kill')
    expect(clock.waiting()).toBe(0)
  })

  test('keeps its first reason when a second one follows', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock, text } = begin(machine, { limits })
    await clock.pass(600_000)
    abort(canceled)
    await clock.pass(4999)
    expect(machine.done).toEqual(['start', 'started', 'terminate'])
    await clock.pass(1)
    expect(await outcome).toEqual(errored)
    expect(text()).toContain('printed nothing')
    expect(text()).not.toContain('canceled')
  })

  test('is killed immediately for too much output, even while it tidies up', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, text } = begin(machine, { limits })
    await settled()
    abort(canceled)
    machine.print('x'.repeat(20_000))
    expect(await outcome).toEqual({ state: 'canceled' })
    expect(machine.done).toEqual(['start', 'started', 'terminate', ...ended])
    expect(text()).toBe('x'.repeat(10_000 - fold.length) + wasCanceled)

    const other = createFakeMachine()
    const flood = begin(other, { limits })
    other.print('x'.repeat(20_000))
    expect(await flood.outcome).toEqual(errored)
    expect(other.done).toEqual(['start', 'started', ...ended])
  })

  test.each([
    [{ kind: 'taken' }, { again: 'taken' }, { again: 'taken' }],
    [{ kind: 'shutdown' }, { again: 'its runner was stopped' }, errored],
  ] as const)('gets no grace time for %j', async (reason, alone, afterSilence) => {
    const machine = createFakeMachine()
    const run = begin(machine, { limits })
    await settled()
    run.abort(reason)
    expect(await run.outcome).toEqual(alone)
    expect(machine.done).toEqual(['start', 'started', ...ended])

    const silent = createFakeMachine()
    const other = begin(silent, { limits })
    await other.clock.pass(600_000)
    other.abort(reason)
    expect(await other.outcome).toEqual(afterSilence)
    expect(silent.done).toEqual(['start', 'started', 'terminate', ...ended])
  })
})

describe('a machine', () => {
  test('that cannot start because of the user ends the job with its message', async () => {
    const machine = createFakeMachine({ up: false })
    const { outcome, text, isClosed } = begin(machine)
    await settled()
    machine.comeUp(new StartError('user', 'there is no image "hunter2"'))
    expect(await outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
    expect(text()).toBe(`${red('The job could not be started.')}there is no image "[secure]"\r\n`)
    expect(isClosed()).toBe(true)
  })

  test('that cannot start hands the job back', async () => {
    const machine = createFakeMachine({ up: false })
    const { outcome, saved } = begin(machine)
    await settled()
    machine.comeUp(new StartError('machine', 'the disk is full'))
    expect(await outcome).toEqual({ again: 'the disk is full' })
    expect(saved).toEqual([])
  })

  test('that is not ready after four minutes hands the job back, and is disposed of later', async () => {
    const machine = createFakeMachine({ up: false })
    const { outcome, clock } = begin(machine)
    await clock.pass(240_000)
    expect(await outcome).toEqual({ again: 'no machine was ready within 4 minutes' })
    expect(machine.done).toEqual(['start', 'called off'])
    machine.comeUp()
    await settled()
    expect(machine.done).toEqual(['start', 'called off', 'dispose'])
    expect(clock.waiting()).toBe(0)
  })

  test('does not count its start towards the limits of the job', async () => {
    const machine = createFakeMachine({ up: false })
    const { outcome, clock, text } = begin(machine, {
      limits: { hard_seconds: 100, silence_seconds: 100, log_bytes: 10_000 },
    })
    await clock.pass(200_000)
    machine.comeUp()
    await clock.pass(99_000)
    machine.exit(0)
    expect(await outcome).toEqual({ state: 'passed' })
    expect(text()).toContain('startup: 200.00 s')
  })

  test.each([
    [{ kind: 'canceled', reason: 'canceled by octavia' }, { state: 'canceled' }],
    [{ kind: 'shutdown' }, { again: 'its runner was stopped' }],
    [{ kind: 'taken' }, { again: 'taken' }],
  ] as const)('that is still starting is called off by %j', async (reason, expected) => {
    const machine = createFakeMachine({ up: false })
    const { outcome, abort } = begin(machine)
    await settled()
    abort(reason)
    expect(await outcome).toEqual(expected)
    expect(machine.done).toEqual(['start', 'called off'])
  })

  test('is not started when the job is already canceled', async () => {
    const machine = createFakeMachine()
    const { outcome } = begin(
      machine,
      {},
      AbortSignal.abort({ kind: 'canceled', reason: 'canceled by octavia' }),
    )
    expect(await outcome).toEqual({ state: 'canceled' })
    expect(machine.done).toEqual([])
  })

  test('is disposed of after an unexpected error', async () => {
    const machine = createFakeMachine()
    const { outcome } = begin(machine, { started: () => Promise.reject(new Error('no database')) })
    await expect(outcome).rejects.toThrow('no database')
    expect(machine.done).toEqual(['start', 'dispose'])
  })
})

describe('a slow sink', () => {
  test('slows the job down, and the pause does not count as its silence', async () => {
    const machine = createFakeMachine()
    const resumes: (() => void)[] = []
    const { outcome, clock } = begin(machine, {
      limits: { hard_seconds: 36_000, silence_seconds: 10, log_bytes: 100_000_000 },
      sink: () => new Promise((resolve) => resumes.push(resolve)),
    })
    for (let count = 0; count < 100; count++) machine.print('x'.repeat(70_000))
    await clock.pass(3_600_000)
    expect(machine.read()).toBe(5)
    expect(machine.done).toEqual(['start', 'started'])

    machine.exit(0)
    while (machine.read() < 100) {
      resumes.shift()?.()
      await settled()
    }
    for (let count = 0; count < 100; count++) {
      resumes.shift()?.()
      await settled()
    }
    expect(await outcome).toEqual({ state: 'passed' })
  })

  test('does not keep a job from being canceled', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock } = begin(machine, {
      limits: { hard_seconds: 3600, silence_seconds: 600, log_bytes: 100_000_000 },
      sink: () => new Promise(() => {}),
    })
    for (let count = 0; count < 100; count++) machine.print('x'.repeat(70_000))
    await settled()
    abort({ kind: 'canceled', reason: 'canceled by octavia' })
    await settled()
    expect(machine.done).toContain('kill')
    // No one could still abort the log, so it gives up on its own.
    await clock.pass(30_000)
    expect(await outcome).toEqual({ state: 'canceled' })
  })
})

describe('a log that cannot be saved', () => {
  const broken = { sink: () => Promise.reject(new Error('no database')) }

  test('is retried as long as the runner has the lease of the job', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock } = begin(machine, broken)
    machine.exit(0)
    await clock.pass(3_600_000)
    expect(clock.waiting()).toBe(1)
    abort({ kind: 'taken' })
    expect(await outcome).toEqual({ again: 'taken' })
    expect(clock.waiting()).toBe(0)
  })

  test('hands the job back when the runner stops', async () => {
    const machine = createFakeMachine()
    const { outcome, abort, clock } = begin(machine, broken)
    machine.exit(0)
    await clock.pass(60_000)
    abort({ kind: 'shutdown' })
    await clock.pass(30_000)
    expect(await outcome).toEqual({ again: 'its log could not be saved' })
    expect(clock.waiting()).toBe(0)
  })
})
