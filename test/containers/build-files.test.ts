// Kinds of build files through both executors: they end alike, and their logs differ in the machine alone.
//
// A run takes some of the rows, which its seed chooses. All of them, or others:
//   BUILD_FILES=all npx vitest run test/containers/build-files
//   BUILD_FILES=30 BUILD_FILES_SEED=7 npx vitest run test/containers/build-files
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JobConfig } from '../../src/domain/job/job.ts'
import type { Executor, JobSpec } from '../../src/runner/executor.ts'
import { createDockerExecutor } from '../../src/runner/executors/docker/executor.ts'
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { runJob } from '../../src/runner/run-job.ts'
import { compileScript } from '../../src/script/compile.ts'
import { scriptInput } from '../script/program.ts'
import { makeRepository } from '../script/repository.ts'
import { startTestEngine, type TestEngine, whyNoEngine } from '../support/docker/engine.ts'
import { importImage } from '../support/docker/images.ts'
import { needs } from '../support/needs.ts'
import { buildFileRows } from './build-file-rows.ts'

const { BUILD_FILES = '10', BUILD_FILES_SEED = '1' } = process.env

function chosenRows() {
  if (BUILD_FILES === 'all') return [...buildFileRows]
  const count = Math.min(Number(BUILD_FILES), buildFileRows.length)
  const some = fc.shuffledSubarray([...buildFileRows], { minLength: count, maxLength: count })
  return fc.sample(fc.noBias(some), { seed: Number(BUILD_FILES_SEED), numRuns: 1 })[0] ?? []
}

describe('build files', needs({ tests: 'of jobs in containers', missing: whyNoEngine() }), () => {
  const folder = mkdtempSync('/tmp/build-files-')
  let engine: TestEngine
  let executors: { process: Executor; docker: Executor }
  let sha = ''
  let runs = 0

  beforeAll(async () => {
    chmodSync(folder, 0o711)
    engine = await startTestEngine()
    await engine.start()
    const programs = ['basename', 'ls', 'pgrep', 'curl']
    await importImage(engine.engine, 'tests:base', { programs })
    const common = { workDir: path.join(folder, 'work'), runnerId: 'tests' }
    executors = {
      process: createProcessExecutor(common),
      docker: createDockerExecutor({
        ...common,
        images: { file: path.join(folder, 'images.json'), days: 14 },
        workDir: path.join(folder, 'containers'),
        cloneImage: 'tests:base',
        slots: 2,
        env: engine.env,
      }),
    }
    const repository = await makeRepository(path.join(folder, 'repository'))
    await repository.commit('one')
    mkdirSync(path.join(folder, 'repository/folder'))
    writeFileSync(path.join(folder, 'repository/folder/inner'), 'inner\n')
    await repository.git('add', '.')
    sha = await repository.commit('two')
  })

  afterAll(async () => {
    await Promise.all([executors.process.close(), executors.docker.close()])
    await engine.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function ending(executor: Executor, config: JobConfig) {
    const { clone, job } = compileScript(
      scriptInput({
        config,
        source: { input: 'repository' },
        commit: { ...scriptInput().commit, sha },
      }),
    )
    runs += 1
    const spec: JobSpec = {
      job_id: runs,
      run_id: `${runs}-1`,
      steps: [
        { name: 'clone', script: clone },
        { name: 'job', script: job },
      ],
      inputs: [{ name: 'repository', path: path.join(folder, 'repository') }],
      image: {
        files: [],
        checkout: 'build/octavia/hello',
        choose: () => ({ image: 'tests:base', pull: 'never' }),
      },
      limits: {},
      network: true,
      deadline_seconds: 120,
    }
    let log = ''
    const outcome = await runJob(
      executor,
      {
        spec,
        secrets: [],
        limits: { hard_seconds: 100, silence_seconds: 60, log_bytes: 100_000 },
        worker_info: {},
        started: async () => true,
        async sink(parts) {
          log += parts.map(({ content }) => content).join('')
        },
      },
      new AbortController().signal,
    )
    const state = 'state' in outcome ? outcome.state : outcome
    return { state, log: withoutMachine(log) }
  }

  test.concurrent.each(chosenRows().map((row) => [row.title, row] as const))(
    '%s',
    async (_title, { config, state }) => {
      const inProcess = await ending(executors.process, config)
      const inContainer = await ending(executors.docker, config)
      expect(inContainer).toEqual(inProcess)
      expect(inProcess.state).toBe(state)
    },
  )
})

/** A log without names of the machine, folds, times and process ids. */
function withoutMachine(log: string): string {
  return (
    log
      .replaceAll('\u001B', '␛')
      .replaceAll(
        /service_fold:start:(worker_info|system_info|image)\r.*?service_fold:end:\1\r␛\[0K/gs,
        '',
      )
      // The folds count towards the limit of a log.
      .replaceAll(/(?:^\d+\r?\n){1000,}\d*/gm, 'NUMBERS')
      .replaceAll(/service_time:[^\r]*\r␛\[0K/g, '')
      .replaceAll(/\b\d+ (?=(?:Killed|Terminated|Aborted|Hangup|User defined)\b)/g, 'PID ')
  )
}
