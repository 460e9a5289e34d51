import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createProcessExecutor } from '../../../../src/runner/executors/process/executor.ts'
import { type Level, levels } from '../../../../src/runner/executors/process/level.ts'

const runnerFile = path.join(import.meta.dirname, 'runner-process.ts')

async function workFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'reap-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function executorAt(workDir: string, level: Level, runnerId = 'runner-1') {
  return createProcessExecutor({ workDir, runnerId, levels: [level] })
}

function isRunning(command: string): boolean {
  const all = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
  return all.split('\n').some((line) => !line.startsWith('Z') && line.includes(command))
}

/** Starts a runner, waits until its job runs, and kills it as a crash would. */
async function crash(workDir: string, level: Level, script: string): Promise<void> {
  const args = ['--import', 'tsx', runnerFile, workDir, 'runner-1', level, script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test.for(levels)(
  'the files and processes of a killed runner are found and removed (%s)',
  async (level, { skip }) => {
    const workDir = await workFolder()
    const executor = executorAt(workDir, level)
    const { ok, says } = await executor.probe()
    skip(!ok, says)

    const nap = `sleep 2${process.pid}.${levels.indexOf(level)}1`
    await crash(workDir, level, `setsid ${nap} & mkdir closed; chmod 0 closed; echo ready; ${nap}`)
    expect(await readdir(workDir)).toEqual(['runner-1+1+1-1'])

    expect(await executorAt(workDir, level, 'runner-2').reap('runner-2')).toEqual([])
    expect(await executor.reap('runner-1')).toEqual(['1-1'])
    expect(isRunning(nap)).toBe(false)
    expect(await readdir(workDir)).toEqual([])
    expect(await executor.reap('runner-1')).toEqual([])
  },
)

test.for(['sandbox', 'tree'] as const)(
  'a job ends on its own when its runner is killed (%s)',
  async (level, { skip }) => {
    const workDir = await workFolder()
    const { ok, says } = await executorAt(workDir, level).probe()
    skip(!ok, says)

    const nap = `sleep 3${process.pid}.${levels.indexOf(level)}1`
    await crash(workDir, level, `env -i setsid ${nap} & echo ready; ${nap}`)
    for (let tries = 0; isRunning(nap) && tries < 100; tries++) await pause(20)
    expect(isRunning(nap)).toBe(false)
  },
)

test('a running job is left alone', async () => {
  const workDir = await workFolder()
  const executor = executorAt(workDir, 'none')
  const running = await executor.start(
    {
      job_id: 3,
      run_id: '3-2',
      steps: [{ name: 'job', script: 'exit 8' }],
      inputs: [],
      limits: {},
      network: true,
      deadline_seconds: 60,
    },
    new AbortController().signal,
  )
  expect(await executor.reap('runner-1')).toEqual([])
  for await (const _ of running.output) continue
  expect(await running.wait()).toEqual({ kind: 'exited', code: 8 })
  expect(await readdir(workDir)).toEqual(['runner-1+3+3-2'])
  await executor.close()
})
