import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { type Level, levels } from '../../src/runner/executors/process/level.ts'
import { type JobOutcome, runJob } from '../../src/runner/run-job.ts'
import { needs, rootUser } from '../support/needs.ts'

async function executorAt(level: Level) {
  const workDir = await mkdtemp(path.join(tmpdir(), 'attack-kill-'))
  await chmod(workDir, 0o711)
  const executor = createProcessExecutor({ workDir, runnerId: 'attack', levels: [level] })
  onTestFinished(async () => {
    await executor.close()
    await rm(workDir, { recursive: true, force: true })
  })
  return executor
}

const attacks = ['kill -9 -1', "bash -c 'kill -9 -1'", 'kill -9 $$']

// At level none an ordinary user's job would kill this very test.
describe.each(levels.map((level) => ({ level, ...(level === 'none' ? needs(rootUser) : {}) })))(
  'at level $level',
  ({ level, ...options }) => {
    test.for(attacks)(
      'a job that ends with %s has the reason in its log',
      options,
      async (attack, { skip }) => {
        const executor = await executorAt(level)
        const { ok, says } = await executor.probe()
        skip(!ok, says)

        let log = ''
        const outcome: JobOutcome = await runJob(
          executor,
          {
            spec: {
              job_id: 1,
              run_id: '1-1',
              steps: [
                { name: 'job', script: `echo before; sleep 0.3; ${attack}; sleep 5; echo after` },
              ],
              inputs: [],
              limits: {},
              network: true,
              deadline_seconds: 60,
            },
            secrets: [],
            limits: { hard_seconds: 60, silence_seconds: 60, log_bytes: 10_000 },
            worker_info: {},
            started: async () => true,
            sink: async (parts) => {
              log += parts.map(({ content }) => content).join('')
            },
          },
          new AbortController().signal,
        )
        expect(outcome).toEqual({ state: 'errored', reason: expect.any(String) as string })
        expect(log).toMatch(/before[^]*The job was ended by SIGKILL \(exit code 137\)/)
        expect(log).not.toContain('after\r\n')
      },
    )
  },
)
