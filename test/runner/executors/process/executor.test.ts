import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { JobSpec } from '../../../../src/runner/executor.ts'
import {
  createProcessExecutor,
  type ProcessOptions,
} from '../../../../src/runner/executors/process/executor.ts'
import { programCommand } from '../../../../src/runner/executors/program-command.ts'
import { needs, rootUser } from '../../../support/needs.ts'

const never = new AbortController().signal
const asRoot = process.getuid?.() === 0

async function scratchFolder(mode = 0o711): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'executor-'))
  await chmod(folder, mode)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function executorWith(options: Partial<ProcessOptions> & { workDir: string }) {
  const executor = createProcessExecutor({ runnerId: 'r', ...options })
  onTestFinished(() => executor.close())
  return executor
}

function specOf(script: string, changes: Partial<JobSpec> = {}): JobSpec {
  return {
    job_id: 1,
    run_id: '1-1',
    steps: [{ name: 'clone', script }],
    inputs: [],
    limits: {},
    network: true,
    deadline_seconds: 60,
    ...changes,
  }
}

async function run(executor: ReturnType<typeof executorWith>, spec: JobSpec): Promise<string> {
  const running = await executor.start(spec, never)
  const chunks: Uint8Array[] = []
  for await (const chunk of running.output) chunks.push(chunk)
  await running.dispose()
  return Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')
}

describe('the probe', () => {
  test('names the isolation level and the limits it enforces', async () => {
    const executor = executorWith({ workDir: await scratchFolder(), levels: ['none'] })
    expect(await executor.probe()).toEqual({
      ok: true,
      says: `jobs run without isolation${asRoot ? ', as separate users' : ''}`,
      isolation: 'none',
      enforces: { memory: false, cpu: false, processes: false, disk: true, no_network: false },
      warnings: [expect.stringContaining(asRoot ? 'run as root' : 'without isolation')],
    })
  })

  test('runs only once', async () => {
    const executor = executorWith({ workDir: await scratchFolder() })
    expect(await executor.probe()).toBe(await executor.probe())
  })

  test('leaves nothing in the work directory', async () => {
    const workDir = await scratchFolder()
    await executorWith({ workDir }).probe()
    expect(await readdir(workDir)).toEqual([])
  })

  test('reports why no job can be run, and so does each start', async () => {
    const file = path.join(await scratchFolder(), 'file')
    await writeFile(file, '')
    const executor = executorWith({ workDir: path.join(file, 'below') })
    expect(await executor.probe()).toMatchObject({
      ok: false,
      says: expect.stringMatching(/^jobs cannot be run here: ENOTDIR/),
    })
    await expect(executor.start(specOf('true'), never)).rejects.toMatchObject({
      blame: 'machine',
      message: expect.stringMatching(/^jobs cannot be run here: ENOTDIR/),
    })
  })

  test('refuses a work directory that is a link', async () => {
    const folder = await scratchFolder()
    await symlink('/etc', path.join(folder, 'link'))
    const executor = executorWith({ workDir: path.join(folder, 'link') })
    expect(await executor.probe()).toMatchObject({
      ok: false,
      says: expect.stringContaining('was not created by the service'),
    })
  })

  test('fails if no level is allowed', async () => {
    const executor = executorWith({ workDir: await scratchFolder(), levels: [] })
    expect(await executor.probe()).toMatchObject({
      ok: false,
      says: 'jobs cannot be run here: no level is allowed',
    })
  })
})

test.each(['a/b', '..+', '', 'x'.repeat(111)])(
  '"%s" is not the name of a runner',
  async (runnerId) => {
    expect(() => createProcessExecutor({ workDir: '/tmp', runnerId })).toThrow('an id may hold')
  },
)

test('a job whose folder already exists is not started', async () => {
  const workDir = await scratchFolder()
  await mkdir(path.join(workDir, 'r+1+1-1'))
  await writeFile(path.join(workDir, 'r+1+1-1', 'kept'), '')
  const starting = executorWith({ workDir }).start(specOf('true'), never)
  await expect(starting).rejects.toMatchObject({ blame: 'machine' })
  expect(await readdir(path.join(workDir, 'r+1+1-1'))).toEqual(['kept'])
})

test('a job whose files exceed its disk limit is ended, and keeps its output', async () => {
  const executor = executorWith({ workDir: await scratchFolder(), diskEvery: 10 })
  const fill = 'echo fills; head -c 3000000 /dev/urandom >file; sleep 600'
  const running = await executor.start(specOf(fill, { limits: { disk_bytes: 2_000_000 } }), never)
  let text = ''
  for await (const chunk of running.output) text += Buffer.from(chunk).toString()
  expect(await running.wait()).toEqual({ kind: 'out_of_disk' })
  expect(text).toContain('fills')
  await running.dispose()
  const within = { limits: { disk_bytes: 20_000_000 } }
  expect(await run(executor, specOf('head -c 3000000 /dev/urandom >file; echo fits', within))).toBe(
    'fits\n',
  )
})

test.each(['', undefined])(
  'a program that cannot be read (%j) does not count as passed',
  async (text) => {
    const file = path.join(await scratchFolder(), 'build.sh')
    if (text !== undefined) await writeFile(file, text)
    const { status, stdout, stderr } = spawnSync('bash', ['-c', programCommand(file)], {
      encoding: 'utf8',
    })
    const said = 'The program of the job cannot be read.\n'
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: said, stderr: '' })
  },
)

test('a job inherits no open file of the service', async () => {
  const executor = executorWith({ workDir: await scratchFolder() })
  const script = 'for fd in /proc/$$/fd/*; do [ -e "$fd" ] && echo "${fd##*/}"; done'
  expect(await run(executor, specOf(script))).toBe('0\n1\n2\n')
})

test('a job in a sandbox sees no process and no file of the machine', async ({ skip }) => {
  const workDir = await scratchFolder()
  const executor = executorWith({ workDir, levels: ['sandbox'] })
  const { ok, says } = await executor.probe()
  skip(!ok, says)

  const script = `ls /proc | grep -c '^[0-9]'; ls -A /home /tmp /var/tmp; ls ${workDir}; ls /run/*.sock`
  const [processes, ...files] = (await run(executor, specOf(script))).split('\n')
  expect(Number(processes)).toBeLessThan(10)
  expect(files).toEqual([
    ...['/home:', 'ci', '', '/tmp:', '', '/var/tmp:'],
    expect.stringMatching(/^ls: cannot access .*: No such file/),
    expect.stringMatching(/^ls: cannot access .*: No such file/),
    '',
  ])
})

test('a job whose sandbox is killed from outside is lost', async ({ skip }) => {
  const executor = executorWith({ workDir: await scratchFolder(), levels: ['sandbox'] })
  const { ok, says } = await executor.probe()
  skip(!ok, says)

  const job_id = process.pid * 1000
  const steps: JobSpec['steps'] = [{ name: 'job', script: 'echo ready; sleep 600' }]
  const running = await executor.start(specOf('', { job_id, steps }), never)
  for await (const _ of running.output) {
    const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    const pid = all.split('\n').find((line) => line.includes(`--hostname job-${job_id} `))
    process.kill(Number.parseInt(pid ?? '', 10), 'SIGKILL')
  }
  expect(await running.wait()).toEqual({
    kind: 'lost',
    why: "the job's machine was ended by SIGKILL",
    running: true,
  })
})

test('a job whose second step cannot be set up is lost', async () => {
  const workDir = await scratchFolder()
  const steps: JobSpec['steps'] = [
    { name: 'clone', script: 'echo ready; sleep 0.2' },
    { name: 'job', script: 'echo never' },
  ]
  const running = await executorWith({ workDir }).start(specOf('', { steps }), never)
  for await (const _ of running.output) {
    await mkdir(path.join(workDir, 'r+1+1-1', 'job'), { recursive: true })
  }
  expect(await running.wait()).toEqual({ kind: 'lost', why: expect.stringContaining('EEXIST') })
})

// Other accounts cannot switch users.
describe('as root', needs(rootUser), () => {
  const levels = ['sandbox', 'tree', 'none'] as const

  test.for(levels)('each job runs as a separate user (%s)', async (level, { skip }) => {
    const workDir = await scratchFolder()
    const executor = executorWith({ workDir, levels: [level] })
    const { ok, says } = await executor.probe()
    skip(!ok, says)

    const specs = ['1-1', '1-2'].map((run_id) => specOf('sleep 60', { run_id }))
    const runs = await Promise.all(specs.map((spec) => executor.start(spec, never)))
    const users = execFileSync('stat', ['-c', '%u %a', 'r+1+1-1/home', 'r+1+1-2/home'], {
      cwd: workDir,
      encoding: 'utf8',
    })
    const [one, other] = users.trim().split('\n')
    expect(one).toMatch(/^64\d\d\d 700$/)
    expect(other).toMatch(/^64\d\d\d 700$/)
    expect(one).not.toBe(other)
    await Promise.all(runs.map((running) => running.dispose()))
  })

  test('jobs run in another folder when their users cannot reach the work directory', async () => {
    const workDir = path.join(await scratchFolder(0o700), 'work')
    const executor = executorWith({ workDir })
    const { ok, warnings } = await executor.probe()
    expect(ok).toBe(true)
    expect(warnings[0]).toMatch(/cannot enter \/\S+, .*, so jobs work in \/\S+ instead/)

    expect(await run(executor, specOf('echo works'))).toBe('works\n')
    expect(await readdir(workDir)).toEqual([])
    await executor.close()
    const [, elsewhere = ''] = /jobs work in (\S+)/.exec(warnings[0] ?? '') ?? []
    await expect(readdir(elsewhere)).rejects.toThrow('ENOENT')
  })

  test('a repository of another user can be cloned, with the objects that it borrows', async () => {
    const folder = await scratchFolder()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
    git('init', '-q', 'lender')
    git('-C', 'lender', 'commit', '-q', '--allow-empty', '-m', 'borrowed')
    git('clone', '-q', '--shared', '--bare', 'lender', 'it.git')
    execFileSync('chown', ['-R', '65534:65534', folder])

    const executor = executorWith({ workDir: await scratchFolder() })
    const script = 'git clone -q "file://$SERVICE_INPUT/it" x; git -C x log --format=%s'
    const inputs = [{ name: 'it', path: path.join(folder, 'it.git') }]
    expect(await run(executor, specOf(script, { inputs }))).toBe('borrowed\n')
  })
})
