import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, type TestContext } from 'vitest'
import type { Executor } from '../../src/runner/executor.ts'
import type { Level } from '../../src/runner/executors/process/level.ts'
import { processExecutor } from '../../src/service/open/open-executor.ts'
import { needs, rootUser } from '../support/needs.ts'
import { outputOf } from './output-of.ts'

// Covers are mounted by path: by renaming a folder above `DATA_DIR`, a job could make the next
// job's cover hide a decoy, and the real folder readable.

interface Account {
  home: string
  dataDir: string
  key: string
}

/** A home folder that jobs can change, even if they run as separate users. */
async function newAccount(below = tmpdir()): Promise<Account> {
  const top = await mkdtemp(path.join(below, 'attack-home-'))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  await chmod(top, 0o777)
  const home = path.join(top, 'home')
  const dataDir = path.join(home, '.local', 'share', 'build-service')
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o711)
  for (const folder of foldersAbove({ home, dataDir })) await chmod(folder, 0o777)
  await writeFile(path.join(dataDir, 'master.key'), 'the master key\n', { mode: 0o644 })
  const key = path.join(home, 'app.pem')
  await writeFile(key, 'the private key\n', { mode: 0o644 })
  return { home, dataDir, key }
}

function foldersAbove({ home, dataDir }: Pick<Account, 'home' | 'dataDir'>): string[] {
  const share = path.dirname(dataDir)
  return [share, path.dirname(share), home]
}

async function executorAt(
  level: Level,
  { dataDir, key }: Account,
  skip: TestContext['skip'],
): Promise<Executor> {
  const executor = processExecutor(
    { dataDir, privateKeyPath: key },
    { runnerId: 'attack', levels: [level] },
  )
  onTestFinished(() => executor.close())
  const { ok, says } = await executor.probe()
  skip(!ok, says)
  return executor
}

const run = (executor: Executor, script: string) => outputOf(executor, [{ name: 'job', script }])

/** Moves a folder, and puts another one with a work folder in the place of `DATA_DIR`. */
const moving = (folder: string, { dataDir }: Account) =>
  `${folder} ${folder}2 && mkdir -p ${dataDir}/work && chmod 711 ${dataDir} && echo moved`

test.for(['mv', 'unshare -Ur mv', 'unshare -Urm mv', 'unshare -Urmpf mv'])(
  'at level tree no job can rename a folder above DATA_DIR with %s',
  async (mv, { skip }) => {
    const account = await newAccount()
    const executor = await executorAt('tree', account, skip)
    for (const folder of foldersAbove(account)) {
      const before = await stat(folder)
      const text = await run(
        executor,
        `${mv} ${moving(folder, account)}; rmdir ${folder}; echo over`,
      )
      expect(text).toMatch(/Device or resource busy[^]*over\n$/)
      expect(text).not.toContain('moved')
      expect(await stat(folder)).toMatchObject({ dev: before.dev, ino: before.ino })
      const files = [account.home, `${account.home}2`].map((home) => `$(find ${home} -type f)`)
      expect(await run(executor, `cat ${files.join(' ')}`)).not.toMatch(/the (master|private) key/)
    }
  },
)

test('at level tree a job can use the other files below the folders above DATA_DIR', async ({
  skip,
}) => {
  const account = await newAccount()
  const executor = await executorAt('tree', account, skip)
  const share = path.dirname(account.dataDir)
  const script =
    `cd ${account.home} && echo one > file && mv file other && mkdir -p .cache/x && ` +
    `cd ${share} && echo two > file && mkdir app && mv file app/file && cat app/file`
  expect(await run(executor, script)).toBe('two\n')
  expect(await readFile(path.join(account.home, 'other'), 'utf8')).toBe('one\n')
})

test('a folder that was moved by someone else is noticed before the next job', async ({ skip }) => {
  const account = await newAccount()
  const executor = await executorAt('tree', account, skip)
  const share = path.dirname(account.dataDir)
  await rename(share, `${share}2`)
  await mkdir(path.join(account.dataDir, 'work'), { recursive: true })
  for (const folder of [account.dataDir, path.join(account.dataDir, 'work')]) {
    await chmod(folder, 0o711)
  }
  const refused = {
    blame: 'machine',
    message:
      `${account.dataDir} was replaced after the service started, so it cannot be ` +
      'hidden from jobs: put the original back, or restart the service',
  }
  await expect(run(executor, 'true')).rejects.toMatchObject(refused)

  await rm(share, { recursive: true })
  await rename(`${share}2`, share)
  expect(await run(executor, 'echo again')).toBe('again\n')
})

test('a replaced key is noticed before the next job', async ({ skip }) => {
  const account = await newAccount()
  const executor = await executorAt('tree', account, skip)
  await rename(account.key, `${account.key}.old`)
  await expect(run(executor, 'true')).rejects.toMatchObject({
    message: expect.stringContaining(`${account.key} was moved or deleted`),
  })
  await writeFile(account.key, 'another')
  await expect(run(executor, 'true')).rejects.toMatchObject({
    message: expect.stringContaining(`${account.key} was replaced`),
  })
})

test('a folder of finished logs that was not mounted at the start is noticed before the next job', async ({
  skip,
}) => {
  const { home, dataDir, key } = await newAccount()
  const objects = path.join(home, 'objects')
  const executor = processExecutor(
    { dataDir, privateKeyPath: key, places: [pathToFileURL(objects).href] },
    { runnerId: 'attack', levels: ['tree'] },
  )
  onTestFinished(() => executor.close())
  const { ok, says } = await executor.probe()
  skip(!ok, says)
  await mkdir(objects)
  await expect(run(executor, 'true')).rejects.toMatchObject({
    blame: 'machine',
    message:
      `${objects} appeared after the service started, so it cannot be hidden from jobs: ` +
      'restart the service',
  })
})

test(
  'a folder moved within a directory that sandboxes can see is noticed before the next job',
  needs(rootUser),
  async ({ skip }) => {
    const account = await newAccount('/opt')
    const executor = await executorAt('sandbox', account, skip)
    expect(await run(executor, `cat ${account.key} ${account.dataDir}/master.key`)).not.toMatch(
      /the (master|private) key/,
    )
    await rename(account.key, `${account.key}.old`)
    await writeFile(account.key, 'another')
    await expect(run(executor, 'true')).rejects.toMatchObject({
      message: expect.stringContaining(`${account.key} was replaced`),
    })
  },
)
