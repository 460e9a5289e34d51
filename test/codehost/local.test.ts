import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RepositoryRef } from '../../src/codehost/codehost.ts'
import { closePull, openPull } from '../../src/codehost/local/pulls.ts'
import { repositoryOf } from '../../src/codehost/local/repositories.ts'
import { testCodehost } from './contract.ts'
import { commit, git, writeCommit } from './local/git-folder.ts'
import { localScene } from './local/scene.ts'

const { local: codehost, makeFolder, makeRepository } = await localScene()

async function folderOf(repository: RepositoryRef): Promise<string> {
  return (await repositoryOf(codehost, repository)).path
}

const missing = { codehost_id: 4711, slug: 'local/missing', private: false, installation: null }

testCodehost({
  codehost,
  login: 'local',
  makeRepository: () => makeRepository(),
  missingRepository: () => missing,
  commit: async (repository, given) => commit(await folderOf(repository), given),
  openPull: async (repository, pull) => (await openPull(codehost, repository, pull)).number,
  async closePull(repository, number) {
    await closePull(codehost, repository, number)
  },
})

describe('file', () => {
  test('is undefined if there is a link', async () => {
    const repository = await makeRepository()
    const files = { file: 'x', link: { link: 'file' } }
    const sha = await commit(repository.folder, { files })
    expect(await codehost.file(repository, 'link', sha)).toBeUndefined()
    expect(await codehost.tree(repository, '', sha)).toEqual([
      { name: 'file', type: 'file' },
      { name: 'link', type: 'other' },
    ])
  })

  test.each(['/file', './file', 'a/../file', '../file', 'file/', '', 'fi\0le', 'a//b'])(
    'is undefined at %j, a path in no commit',
    async (name) => {
      const repository = await makeRepository()
      const sha = await commit(repository.folder, { files: { file: 'x', 'a/b': 'x' } })
      expect(await codehost.file(repository, name, sha)).toBeUndefined()
    },
  )

  test.each(['a\nb', 'tab\there', '"', '\\'])('is read at %j', async (name) => {
    const repository = await makeRepository()
    const sha = await commit(repository.folder, { files: { [name]: 'x', other: 'y' } })
    expect(await codehost.file(repository, name, sha)).toEqual(Buffer.from('x'))
    expect(await codehost.tree(repository, '', sha)).toContainEqual({ name, type: 'file' })
  })

  test('is undefined at anything but a commit id', async () => {
    const repository = await makeRepository()
    await commit(repository.folder, { files: { file: 'x' } })
    for (const sha of ['--help', 'main', 'HEAD', `${'f'.repeat(40)}\nrefs/heads/main`]) {
      expect(await codehost.file(repository, 'file', sha)).toBeUndefined()
    }
  })

  test('is what a clone contains, even if the repository replaces the commit', async () => {
    const repository = await makeRepository()
    const sha = await commit(repository.folder, { files: { file: 'true' } })
    const other = await commit(repository.folder, { files: { file: 'replaced' } })
    await git(repository.folder, 'replace', sha, other)
    expect(await codehost.file(repository, 'file', sha)).toEqual(Buffer.from('true'))
  })
})

describe('commit', () => {
  test('is found by tag, annotated or not, and by whole ref', async () => {
    const repository = await makeRepository()
    const sha = await commit(repository.folder)
    await git(repository.folder, 'tag', 'light', sha)
    await git(repository.folder, 'tag', '-m', 'A release', 'heavy', sha)
    await git(repository.folder, 'tag', '-m', 'Twice', 'nested', 'heavy')
    for (const name of ['light', 'heavy', 'nested', 'refs/heads/main', 'refs/tags/heavy']) {
      expect(await codehost.commit(repository, name)).toMatchObject({ sha })
    }
  })

  test('a branch is preferred to a tag of the same name', async () => {
    const repository = await makeRepository()
    const first = await commit(repository.folder)
    await git(repository.folder, 'tag', 'main', first)
    const sha = await commit(repository.folder)
    expect(await codehost.commit(repository, 'main')).toMatchObject({ sha })
  })

  test('a tag of an object other than a commit is undefined', async () => {
    const repository = await makeRepository()
    await commit(repository.folder)
    await git(repository.folder, 'tag', 'tree', 'main^{tree}')
    expect(await codehost.commit(repository, 'tree')).toBeUndefined()
  })

  test.each([
    ['bytes that are not UTF-8 are replaced', '', 'Gr\uFFFD\uFFFDe'],
    ['a declared encoding is decoded', 'encoding ISO-8859-1\n', 'Grüße'],
  ])('%s', async (_, header, message) => {
    const repository = await makeRepository()
    const top = Buffer.from(`${await emptyCommit(repository.folder)}${header}\n`)
    const raw = Buffer.concat([top, Buffer.from('Grüße\n', 'latin1')])
    const sha = writeCommit(repository.folder, raw)
    expect(await codehost.commit(repository, sha)).toMatchObject({ message })
  })

  test('a message ends at a NUL, which databases cannot store', async () => {
    const repository = await makeRepository()
    const raw = `${await emptyCommit(repository.folder)}\nShort\0and long\n`
    const sha = writeCommit(repository.folder, Buffer.from(raw))
    expect(await codehost.commit(repository, sha)).toMatchObject({ sha, message: 'Short' })
  })

  test('an impossible time is null', async () => {
    const repository = await makeRepository()
    const raw = `${await emptyCommit(repository.folder, '999999999999999')}\nLate\n`
    const sha = writeCommit(repository.folder, Buffer.from(raw))
    expect(await codehost.commit(repository, sha)).toMatchObject({
      message: 'Late',
      committed_at: null,
    })
  })
})

async function emptyCommit(folder: string, seconds = '0'): Promise<string> {
  const tree = await git(folder, 'hash-object', '-t', 'tree', '-w', '/dev/null')
  return `tree ${tree}\nauthor A <a@b> 0 +0000\ncommitter A <a@b> ${seconds} +0000\n`
}

describe('a folder to clone from', () => {
  test.each([['--bare'], ['--quiet']])(
    'contains the merge commits as well (%s)',
    async (option) => {
      const repository = await makeRepository(option)
      await commit(repository.folder, { files: { file: 'main' } })
      const parent = await git(repository.folder, 'rev-parse', 'main')
      await commit(repository.folder, { branch: 'feature', parent, files: { other: 'feature' } })
      const { number } = await openPull(codehost, repository, { base: 'main', head: 'feature' })
      const pull = await codehost.pull(repository, number)

      const source = await codehost.cloneSource(repository, { withToken: true })
      const clone = await makeFolder()
      const from = 'path' in source ? source.path : source.url
      await git(clone, 'fetch', '--quiet', from, `refs/pull/${number}/merge`)
      await git(clone, 'checkout', '--quiet', 'FETCH_HEAD')

      expect(await git(clone, 'rev-parse', 'HEAD')).toBe(pull?.merge_commit_sha)
      expect(await readFile(path.join(clone, 'other'), 'utf8')).toBe('feature')
    },
  )
})

describe('a missing repository', () => {
  test('is reported by name if it is not registered', async () => {
    await expect(codehost.file(missing, 'file', 'f'.repeat(40))).rejects.toMatchObject({
      temporary: false,
      message:
        'local/missing is no longer registered on this machine: add ' +
        'it again with "build-service local add"',
    })
  })

  test.each([
    ['its folder was deleted', (folder: string) => rm(folder, { recursive: true })],
    ['its folder is no longer a repository', (folder: string) => rm(path.join(folder, 'HEAD'))],
  ])('is reported by its folder if %s', async (_, ruin) => {
    const repository = await makeRepository()
    await ruin(repository.folder)
    const missed = {
      temporary: false,
      message: expect.stringMatching(/^the git repository at .* is gone: .*local add|remove/),
    }
    await expect(codehost.commit(repository, 'main')).rejects.toMatchObject(missed)
    await expect(codehost.repository(repository)).rejects.toMatchObject(missed)
    await expect(codehost.cloneSource(repository, { withToken: true })).rejects.toMatchObject(
      missed,
    )
  })
})
