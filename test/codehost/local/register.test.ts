import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { installHook } from '../../../src/codehost/local/hooks/hooks.ts'
import { openPull } from '../../../src/codehost/local/pulls.ts'
import {
  addRepository,
  findRepositoryAt,
  removeRepository,
} from '../../../src/codehost/local/register.ts'
import { findRepositoryByName, repositoriesOf } from '../../../src/codehost/local/repositories.ts'
import { commit, git } from './git-folder.ts'
import { localScene } from './scene.ts'

const { local, newFolder, makeFolder, makeRepository } = await localScene()

async function withParent(folder: string): Promise<string> {
  await mkdir(path.dirname(folder))
  return folder
}

describe('a repository that is added', () => {
  test('belongs to the local user and has the name of its folder', async () => {
    expect(await addRepository(local, await makeFolder())).toEqual({
      provider: 'local',
      codehost_id: 1,
      name: 'hello',
      private: false,
      fork: false,
      default_branch: 'main',
      description: null,
      archived: false,
      language: null,
      owner: { codehost_id: 1, login: 'local', type: 'User' },
    })
  })

  test('takes the given name and owner', async () => {
    const facts = await addRepository(local, await makeFolder(), { name: 'octavia/world' })
    const other = await addRepository(local, await makeFolder(), { name: 'OCTAVIA/other' })
    expect(facts).toMatchObject({
      name: 'world',
      owner: { login: 'octavia', type: 'Organization', codehost_id: expect.any(Number) },
    })
    expect(other.owner.codehost_id).toBe(facts.owner.codehost_id)
    expect(facts.owner.codehost_id).not.toBe(1)
  })

  test('can be bare, and loses the ".git" of its folder', async () => {
    const folder = newFolder('world.git')
    await rename(await makeFolder('--bare'), await withParent(folder))
    expect(await addRepository(local, folder)).toMatchObject({ name: 'world' })
    expect(await repositoriesOf(local)).toMatchObject([{ path: folder }])
  })

  test('is the same for every folder that belongs to it', async () => {
    const folder = await makeFolder()
    await commit(folder)
    await mkdir(path.join(folder, 'inside'))
    const linked = newFolder('linked')
    await git(folder, 'worktree', 'add', '--quiet', '--detach', linked, 'main')
    const link = newFolder('link')
    await symlink(folder, await withParent(link))

    const facts = await addRepository(local, folder)
    for (const same of [
      folder,
      path.join(folder, 'inside'),
      path.join(folder, '.git'),
      linked,
      link,
    ]) {
      expect(await addRepository(local, same)).toEqual(facts)
    }
    expect(await repositoriesOf(local)).toEqual([
      { codehost_id: 1, owner: 'local', name: 'hello', path: path.join(folder, '.git') },
    ])
  })

  test('is the same for several users who add it at the same time', async () => {
    const folder = await makeFolder()
    const all = await Promise.all([1, 2, 3].map(() => addRepository(local, folder)))
    expect(new Set(all.map(({ codehost_id }) => codehost_id)).size).toBe(1)
  })

  test('is not added a second time under a different name', async () => {
    const folder = await makeFolder()
    await addRepository(local, folder, { name: 'one' })
    expect(await addRepository(local, folder, { name: 'Local/One' })).toMatchObject({ name: 'one' })
    await expect(addRepository(local, folder, { name: 'two' })).rejects.toThrow(
      /\.git is registered as local\/one already: to rename it, run "build-service local remove/,
    )
  })

  test('cannot have the name of another repository, in any case', async () => {
    const folder = await makeFolder()
    await addRepository(local, folder, { name: 'a/b' })
    await expect(addRepository(local, await makeFolder(), { name: 'A/B' })).rejects.toMatchObject({
      temporary: false,
      message:
        `the name A/B is taken by ${folder}/.git: choose another one with "--name owner/name", ` +
        `or run "build-service local remove ${folder}/.git" first`,
    })
  })
})

describe('a repository is not created for', () => {
  test('a missing folder', async () => {
    const folder = newFolder()
    await expect(addRepository(local, folder)).rejects.toThrow(`there is no folder at ${folder}`)
  })

  test('a file', async () => {
    const folder = await makeFolder()
    const file = path.join(folder, '.git/HEAD')
    await expect(addRepository(local, file)).rejects.toThrow(`there is no folder at ${file}`)
  })

  test('a folder that is not a git repository', async () => {
    const folder = newFolder()
    await mkdir(folder, { recursive: true })
    await expect(addRepository(local, folder)).rejects.toMatchObject({
      temporary: false,
      message: `${folder} is not a git repository: run "git init" there first, or specify the folder of one`,
    })
  })

  test('a name that would not fit into a URL', async () => {
    const folder = await makeFolder()
    await expect(addRepository(local, folder, { name: 'a/b/c' })).rejects.toThrow(
      '"a/b/c" cannot be the name of a repository: write owner/name',
    )
  })
})

describe('a repository is found', () => {
  test('by its name, in any case', async () => {
    const { codehost_id } = await addRepository(local, await makeFolder(), {
      name: 'Octavia/World',
    })
    expect(await findRepositoryByName(local, 'octavia/world')).toMatchObject({ codehost_id })
    expect(await findRepositoryByName(local, 'world')).toBeUndefined()
  })

  test('by a folder that belongs to it', async () => {
    const folder = await makeFolder()
    const { codehost_id } = await addRepository(local, folder)
    expect(await findRepositoryAt(local, folder)).toMatchObject({ codehost_id })
    expect(await findRepositoryAt(local, await makeFolder())).toBeUndefined()
  })

  test('by the folder it had before it was deleted', async () => {
    const [bare, folder] = [await makeFolder('--bare'), await makeFolder()]
    const facts = [
      await addRepository(local, bare, { name: 'bare' }),
      await addRepository(local, folder),
    ]
    await rm(bare, { recursive: true })
    await rename(folder, await withParent(newFolder()))
    const found = [await findRepositoryAt(local, bare), await findRepositoryAt(local, folder)]
    expect(found).toMatchObject(facts.map(({ codehost_id }) => ({ codehost_id })))
  })
})

describe('a repository that is removed', () => {
  test('is restored to its former state, except for its objects', async () => {
    const { folder, ...repository } = await makeRepository()
    const root = await commit(folder)
    await commit(folder, { files: { a: 'a' } })
    await commit(folder, { branch: 'feature', parent: root, files: { b: 'b' } })
    const [refs, hooks] = [await git(folder, 'show-ref'), await readdir(path.join(folder, 'hooks'))]
    const { number } = await openPull(local, repository, { base: 'main', head: 'feature' })
    await local.pull(repository, number)
    await installHook(local.git, folder, 'true')
    expect(await git(folder, 'show-ref')).toContain('refs/pull/1/merge')

    await removeRepository(local, repository)

    expect(await git(folder, 'show-ref')).toBe(refs)
    expect(await readdir(path.join(folder, 'hooks'))).toEqual(hooks)
    expect(await repositoriesOf(local)).toEqual([])
  })

  test('keeps all of its refs, including those of other code hosts', async () => {
    const { folder, ...repository } = await makeRepository()
    const root = await commit(folder)
    await commit(folder, { files: { a: 'a' } })
    await commit(folder, { branch: 'feature', parent: root, files: { b: 'b' } })
    await git(folder, 'tag', 'v1', 'main')
    await git(folder, 'update-ref', 'refs/pull/1/merge', 'main')
    const refs = await git(folder, 'show-ref')
    await removeRepository(local, repository)
    expect(await git(folder, 'show-ref')).toBe(refs)

    const again = await addRepository(local, folder)
    await openPull(local, again, { base: 'main', head: 'feature' })
    await removeRepository(local, again)
    expect(await git(folder, 'show-ref')).toBe(refs)
  })

  test('can have a missing folder', async () => {
    const { folder, ...repository } = await makeRepository()
    await rm(folder, { recursive: true })
    await removeRepository(local, repository)
    await removeRepository(local, repository)
    expect(await repositoriesOf(local)).toEqual([])
  })

  test('gets a new id when it is added again', async () => {
    const { folder, ...repository } = await makeRepository()
    await removeRepository(local, repository)
    expect((await addRepository(local, folder)).codehost_id).not.toBe(repository.codehost_id)
  })
})
