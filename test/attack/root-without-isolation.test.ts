import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Executor, JobSpec } from '../../src/runner/executor.ts'
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { removeFolder } from '../../src/runner/executors/remove-folder.ts'
import { needs, rootUser } from '../support/needs.ts'
import { nodeForAll } from '../support/node-for-all.ts'

const node = nodeForAll()

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attack-root-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder of the service's user with 200 files, which no job may delete. */
async function rootsFiles(): Promise<string> {
  const folder = path.join(await newFolder(), 'precious')
  await mkdir(folder)
  for (let index = 0; index < 200; index++) writeFileSync(path.join(folder, `file-${index}`), '')
  return folder
}

async function executorWithout(workDir: string): Promise<Executor> {
  const executor = createProcessExecutor({ workDir, runnerId: 'attack', levels: ['none'] })
  onTestFinished(() => executor.close())
  return executor
}

let runs = 0

function specOf(...scripts: [string, ...string[]]): JobSpec {
  runs += 1
  const [clone, ...others] = scripts
  return {
    job_id: runs,
    run_id: `${runs}-1`,
    steps: [
      { name: 'clone', script: clone },
      ...others.map((script) => ({ name: 'job' as const, script })),
    ],
    inputs: [],
    limits: {},
    network: true,
    deadline_seconds: 60,
  }
}

async function run(executor: Executor, spec: JobSpec): Promise<string> {
  const running = await executor.start(spec, new AbortController().signal)
  let text = ''
  for await (const chunk of running.output) text += Buffer.from(chunk).toString()
  await running.dispose()
  return text.replaceAll('\r\n', '\n')
}

function commands(): string {
  return execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => !line.startsWith('Z'))
    .join('\n')
}

/**
 * A program that keeps replacing a folder with a link to another one, and back, as long as it runs.
 */
const swapping = (folder: string, target: string) => `
  const fs = require("fs")
  const attempt = (act) => { try { act() } catch {} }
  process.chdir("${folder}")
  for (;;) {
    attempt(() => fs.mkdirSync("trap"))
    for (let i = 0; i < 40; i++) attempt(() => fs.writeFileSync("trap/file-" + i, ""))
    for (let i = 0; i < 200; i++) {
      attempt(() => fs.renameSync("trap", "away"))
      attempt(() => fs.symlinkSync("${target}", "trap"))
      attempt(() => fs.unlinkSync("trap"))
      attempt(() => fs.renameSync("away", "trap"))
    }
  }`

describe('with the service as root, at level none', needs(rootUser), () => {
  test('a process that carries the mark of another job is killed with its own job', async () => {
    const workDir = await newFolder()
    const nap = `sleep 6${process.pid}.01`
    const script = `(SERVICE_RUN=fake setsid ${nap} &); (env -i setsid ${nap} &); sleep 0.1; echo up`
    expect(await run(await executorWithout(workDir), specOf(script))).toBe('up\n')
    expect(commands()).not.toContain(nap)
    expect(await readdir(workDir)).toEqual([])
  })

  test('a process that forks faster than it can be found is killed with its job', async () => {
    const mark = `hop-${process.pid}`
    const script =
      `export HOP='setsid bash -c "$HOP" ${mark} </dev/null >/dev/null 2>&1 & sleep 0.01'; ` +
      'export SERVICE_RUN=fake; bash -c "$HOP"; sleep 0.1; echo up'
    expect(await run(await executorWithout(await newFolder()), specOf(script))).toBe('up\n')
    await pause(100)
    expect(commands()).not.toContain(mark)
  })

  test("a job whose process exchanges folders for links cannot delete root's files", async () => {
    const precious = await rootsFiles()
    const workDir = await newFolder()
    const script = `
      cat > swap.cjs <<'END'\n${swapping('.', precious)}\nEND
      SERVICE_RUN=fake setsid ${node} swap.cjs </dev/null >/dev/null 2>&1 &
      sleep 0.4; echo up`
    const executor = await executorWithout(workDir)
    for (let round = 0; round < 3; round++) {
      expect(await run(executor, specOf(script, 'echo second'))).toBe('up\nsecond\n')
    }
    expect(readdirSync(precious)).toHaveLength(200)
    expect(await readdir(workDir)).toEqual([])
  })

  test('while such a process still runs, only files that its user could delete are deleted', async () => {
    const precious = await rootsFiles()
    const user = { uid: 65_302, gid: 65_302 }
    const home = path.join(await newFolder(), 'home')
    for (let round = 0; round < 5; round++) {
      await mkdir(home, { recursive: true })
      await chown(home, user.uid, user.gid)
      const swapper = spawn(node, ['-e', swapping(home, precious)], { ...user, stdio: 'ignore' })
      await pause(400)
      await removeFolder(home, user).catch(() => {})
      swapper.kill('SIGKILL')
    }
    expect(readdirSync(precious)).toHaveLength(200)
  })

  test("files that the job's user could not delete are left and reported", async () => {
    const user = { uid: 65_302, gid: 65_302 }
    const home = path.join(await newFolder(), 'home')
    await mkdir(path.join(home, 'of-root'), { recursive: true })
    await writeFile(path.join(home, 'of-root', 'file'), '')
    await chown(home, user.uid, user.gid)
    await expect(removeFolder(home, user)).rejects.toThrow('ENOTEMPTY')
    expect(await readdir(path.join(home, 'of-root'))).toEqual(['file'])
  })

  test('no process of an earlier step can place a link where a script is written', async () => {
    const precious = await rootsFiles()
    const script = `
      (SERVICE_RUN=fake setsid bash -c 'while :; do
        ln -sfn ${precious} "$HOME/../job"; ln -sf ${precious}/file-1 "$HOME/../job/build.sh"
      done' </dev/null >/dev/null 2>&1 &)
      sleep 0.1`
    const executor = await executorWithout(await newFolder())
    expect(await run(executor, specOf(script, 'echo second'))).toBe('second\n')
    expect((await stat(path.join(precious, 'file-1'))).uid).toBe(0)
  })

  test('the end of a job leaves other jobs alone, of the same runner and of another', async () => {
    const executors = [
      await executorWithout(await newFolder()),
      await executorWithout(await newFolder()),
    ]
    const never = new AbortController().signal
    const long = await Promise.all(
      executors.map((executor) => executor.start(specOf('sleep 0.6; exit 9'), never)),
    )
    for (const executor of executors) await run(executor, specOf('kill -9 -1'))
    for (const running of long) {
      for await (const _ of running.output) continue
      expect(await running.wait()).toEqual({ kind: 'exited', code: 9 })
    }
  })

  test('the files of a killed runner are deleted as the user that could write there', async () => {
    const precious = await rootsFiles()
    const workDir = await newFolder()
    const executor = await executorWithout(workDir)
    await executor.probe()
    const folder = path.join(workDir, 'attack+7+7-1')
    const user = { uid: 65_303, gid: 65_303 }
    await mkdir(path.join(folder, 'home'), { recursive: true })
    await writeFile(path.join(folder, 'passwd'), '')
    await chown(path.join(folder, 'home'), user.uid, user.gid)
    const home = path.join(folder, 'home')
    spawn(node, ['-e', swapping(home, precious)], { ...user, stdio: 'ignore', detached: true })
    await pause(400)
    expect(await executor.reap('attack')).toEqual(['7-1'])
    expect(readdirSync(precious)).toHaveLength(200)
    expect(await readdir(workDir)).toEqual([])
    expect(commands()).not.toContain(home)
  })
})

test('links left by a job are removed, and their targets stay', async () => {
  const precious = await rootsFiles()
  const folder = path.join(await newFolder(), 'home')
  await mkdir(path.join(folder, 'closed'), { recursive: true })
  await symlink(precious, path.join(folder, 'closed', 'link'))
  await chmod(path.join(folder, 'closed'), 0o500)
  await symlink(precious, `${folder}-link`)
  for (const left of [folder, `${folder}-link`]) await removeFolder(left, undefined)
  expect(await readdir(path.dirname(folder))).toEqual([])
  expect(readdirSync(precious)).toHaveLength(200)
})
