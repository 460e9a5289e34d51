import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGit, identityIn } from '../../src/codehost/local/git.ts'
import { hookFailure, hookLog } from '../../src/codehost/local/hooks/hook-log.ts'
import { installHook, removeHooks } from '../../src/codehost/local/hooks/hooks.ts'
import { needs, rootUser } from '../support/needs.ts'

// Root registers the repository of another user, who has prepared an attack.

const git = createGit()
const somebody = { uid: 65_301, gid: 65_301 }

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attack-hooks-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await chmod(folder, 0o755)
  return folder
}

async function theirRepository() {
  const folder = await newFolder()
  const directory = path.join(folder, '.git')
  execFileSync('git', ['init', '--quiet', '--template=', folder])
  const hooks = path.join(directory, 'hooks')
  await mkdir(hooks)
  /** Gives all planted files to the other user, including links. */
  const handOver = () =>
    execFileSync('chown', ['-hR', `${somebody.uid}:${somebody.gid}`, folder], { stdio: 'ignore' })
  handOver()
  return { folder, directory, hooks, handOver }
}

/** A folder of root with a file that only root can read, and the state of both. */
async function rootsFolder() {
  const folder = await newFolder()
  const file = path.join(folder, 'secret')
  await writeFile(file, 'of root\n', { mode: 0o600 })
  async function state() {
    const names = await readdir(folder)
    const kept = await Promise.all(
      ['', ...names].map(async (name) => {
        const { uid, gid, mode } = await stat(path.join(folder, name))
        return { name, uid, gid, mode }
      }),
    )
    return { kept, text: await readFile(file, 'utf8') }
  }
  return { folder, file, state, before: await state() }
}

describe('with the service as root', needs(rootUser), () => {
  test('a hook belongs to the owner of the repository', async () => {
    const { directory, hooks } = await theirRepository()
    const names = ['post-commit', 'post-merge']
    expect(await installHook(git, directory, 'true')).toEqual({ installed: names, notes: [] })
    expect(await readdir(hooks)).toEqual(names)
    for (const name of names) {
      expect(await stat(path.join(hooks, name))).toMatchObject({ ...somebody, mode: 0o100755 })
    }
    await removeHooks(git, directory)
    expect(await readdir(hooks)).toEqual([])
  })

  test('a link under the predictable name of a temporary file is not followed', async () => {
    const { directory, hooks, handOver } = await theirRepository()
    const { file, state, before } = await rootsFolder()
    for (const name of ['post-commit', 'post-merge']) {
      await symlink(file, path.join(hooks, `${name}.${process.pid}`))
    }
    handOver()
    await installHook(git, directory, 'true')
    expect(await state()).toEqual(before)
  })

  test('a hook and a log that are links are neither followed nor shown', async () => {
    const { directory, hooks, handOver } = await theirRepository()
    const { file, state, before } = await rootsFolder()
    await symlink(file, path.join(hooks, 'post-commit'))
    await symlink(file, hookLog(directory))
    handOver()
    expect(await installHook(git, directory, 'true')).toMatchObject({ installed: ['post-merge'] })
    expect(await hookFailure(directory)).toBeUndefined()
    await removeHooks(git, directory)
    expect(await state()).toEqual(before)
    expect((await lstat(path.join(hooks, 'post-commit'))).isSymbolicLink()).toBe(true)
  })

  test.each([
    ['open', 0o755],
    ['closed', 0o700],
  ])(
    'a hooks folder that links to a folder of root, which is %s to others, is left alone',
    async (_, mode) => {
      const { directory, hooks, handOver } = await theirRepository()
      const { folder, file, state } = await rootsFolder()
      await chmod(folder, mode)
      const before = await state()
      await rm(hooks, { recursive: true })
      await symlink(folder, hooks)
      handOver()
      expect(await installHook(git, directory, 'true')).toMatchObject({ installed: [] })
      await removeHooks(git, directory)
      expect(await state()).toEqual(before)
      expect(await readFile(file, 'utf8')).toBe('of root\n')
    },
  )

  test('a hooks folder that is repeatedly exchanged for a link to a folder of root is left alone', async () => {
    const { directory } = await theirRepository()
    const { folder, state, before } = await rootsFolder()
    const swap = `cd '${directory}' && while :; do
      mv -T hooks away; ln -s '${folder}' hooks; rm hooks; mv -T away hooks; done`
    const swapper = spawn('bash', ['-c', swap], { ...somebody, stdio: 'ignore', detached: true })
    onTestFinished(async () => {
      const gone = once(swapper, 'close')
      // The whole group is killed: a program of it could still move a folder that is removed below.
      process.kill(-(swapper.pid ?? 0), 'SIGKILL')
      await gone
    })
    for (let round = 0; round < 20; round++) {
      await installHook(git, directory, `echo ${round}`).catch(() => {})
      await removeHooks(git, directory).catch(() => {})
    }
    expect(await state()).toEqual(before)
  })

  test('git is not run as root in a folder that its owner has closed', async () => {
    const { folder, directory } = await theirRepository()
    await chmod(folder, 0o000)
    expect(await identityIn(directory)).toEqual(somebody)
    await chmod(folder, 0o755)
    expect(await identityIn(directory)).toEqual(somebody)
  })
})
