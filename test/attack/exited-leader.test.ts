import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { JobSpec } from '../../src/runner/executor.ts'
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { type Need, needs, rootUser } from '../support/needs.ts'

const compiler: Need = {
  tests: 'that compile a program',
  missing: spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler',
}

/**
 * A process that looks like a zombie, because its first thread has ended, while eight other threads
 * kill every process of the user. It refuses to run as any user but that of a job.
 */
const program = `
  #define _GNU_SOURCE
  #include <pthread.h>
  #include <signal.h>
  #include <unistd.h>
  #include <sys/syscall.h>
  static void *kill_all(void *_) { for (;;) kill(-1, SIGKILL); }
  int main(void) {
    pthread_t thread;
    if (getuid() < 64000 || geteuid() < 64000 || getuid() > 64999) return 1;
    setsid();
    for (int i = 0; i < 8; i++) pthread_create(&thread, 0, kill_all, 0);
    syscall(SYS_exit, 0);
  }`

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attack-leader-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function compiled(): Promise<string> {
  const file = path.join(await newFolder(), `leader-${process.pid}`)
  execFileSync('cc', ['-pthread', '-o', file, '-xc', '-'], { input: program })
  await chmod(file, 0o755)
  return file
}

async function newExecutor() {
  const workDir = await newFolder()
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => void warnings.push(message) }
  const executor = createProcessExecutor({ workDir, runnerId: 'attack', levels: ['none'], log })
  onTestFinished(() => executor.close())
  return { workDir, warnings, executor }
}

function specOf(script: string): JobSpec {
  return {
    job_id: 1,
    run_id: '1-1',
    steps: [{ name: 'job', script }],
    inputs: [],
    limits: {},
    network: true,
    deadline_seconds: 60,
  }
}

/** The threads that still run; the first one waits as a zombie for them, and then to be reaped. */
function leftOf(file: string): string[] {
  const name = path.basename(file).slice(0, 15)
  const all = execFileSync('ps', ['-eLo', 'pid=,stat=,comm='], { encoding: 'utf8' }).split('\n')
  return all.filter((line) => line.includes(name) && !/^\s*\d+ Z/.test(line))
}

const never = new AbortController().signal

describe('with the service as root, at level none', needs(rootUser), () => {
  test(
    'a process whose first thread has exited is killed with its job',
    needs(compiler),
    async () => {
      const file = await compiled()
      const { executor, warnings } = await newExecutor()
      const running = await executor.start(specOf(`setsid ${file} & sleep 5; exit 3`), never)
      onTestFinished(() => {
        for (const line of leftOf(file)) {
          const pid = Number(line.trim().split(/\s+/)[0])
          try {
            process.kill(pid, 'SIGKILL')
          } catch {
            // The process has ended.
          }
        }
      })
      for await (const _ of running.output) continue
      expect(await running.wait()).toEqual({ kind: 'exited', code: 137 })
      await running.dispose()
      expect(leftOf(file)).toEqual([])
      expect(warnings).toEqual([])
    },
  )

  test('files that cannot be removed after a job do not change its result', async () => {
    const { workDir, executor, warnings } = await newExecutor()
    const running = await executor.start(specOf('echo up; read -t 1; exit 3'), never)
    const planted = path.join(workDir, 'attack+1+1-1', 'job', 'of-root')
    await mkdir(planted)
    await writeFile(path.join(planted, 'file'), '')
    for await (const _ of running.output) continue
    expect(await running.wait()).toEqual({ kind: 'exited', code: 3 })
    await running.dispose()
    expect(warnings).toContain('script of a job was not removed')
  })
})
