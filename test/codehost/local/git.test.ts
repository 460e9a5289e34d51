import { chmod, chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createGit } from '../../../src/codehost/local/git.ts'
import { mergeCommit } from '../../../src/codehost/local/merge.ts'
import { needs, rootUser } from '../../support/needs.ts'
import { commit, git as asPerson, temporaryFolders } from './git-folder.ts'

const { root, newFolder, makeFolder } = await temporaryFolders()
const bare = await makeFolder('--bare')
const sha = await commit(bare, { files: { file: 'x'.repeat(5000) } })
const git = createGit()

test('returns the output of git', async () => {
  const { code, output } = await git(bare, ['cat-file', 'blob', `${sha}:file`])
  expect({ code, text: output.toString() }).toEqual({ code: 0, text: 'x'.repeat(5000) })
})

test('accepts the given exit codes', async () => {
  const answer = git(bare, ['symbolic-ref', '-q', 'refs/none'], { accept: [0, 1] })
  expect(await answer).toMatchObject({ code: 1 })
})

test.each([
  ['a failure', git, ['cat-file', 'blob', 'main'], /^git cat-file in .*hello: .*bad file$/, false],
  [
    'too much output',
    createGit(undefined, 1000),
    ['cat-file', 'blob', `${sha}:file`],
    /its output is too large$/,
    false,
  ],
  [
    'a missing program',
    createGit('/nonexistent'),
    ['version'],
    /install git 2.38 or later$/,
    false,
  ],
] as const)('reports %s in a sentence', async (_, git, args, message, temporary) => {
  await expect(git(bare, args)).rejects.toMatchObject({
    message: expect.stringMatching(message),
    temporary,
  })
})

test('reports a failure as temporary if another git held a lock', async () => {
  const folder = path.dirname(newFolder())
  await mkdir(folder)
  const complaint = "fatal: Unable to create 'refs/heads/main.lock': File exists."
  await writeFile(path.join(folder, 'git'), `#!/bin/sh\necho "${complaint}" >&2\nexit 128\n`)
  await chmod(path.join(folder, 'git'), 0o755)
  await expect(createGit(folder)(bare, ['update-ref'])).rejects.toMatchObject({
    temporary: true,
    message: expect.stringContaining('File exists'),
  })
})

test('does not fetch from anywhere', async () => {
  const remote = git(bare, ['ls-remote', `file://${bare}`])
  await expect(remote).rejects.toThrow("transport 'file' not allowed")
})

test("does not read the caller's settings, and runs no hooks of the repository", async () => {
  const folder = await makeFolder('--bare')
  const sha = await commit(folder)
  const hook = path.join(folder, 'hooks/reference-transaction')
  await mkdir(path.dirname(hook), { recursive: true })
  await writeFile(hook, '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
  await git(folder, ['update-ref', 'refs/heads/other', sha])
  expect(await readdir(folder)).not.toContain('ran')

  await asPerson(folder, 'update-ref', 'refs/heads/another', sha)
  expect(await readdir(folder)).toContain('ran')
})

test('does not search for a repository in parent folders', async () => {
  const inside = path.join(bare, 'inside')
  await mkdir(inside)
  await expect(git(inside, ['rev-parse', 'HEAD'])).rejects.toThrow('the git repository at')
})

// Other accounts cannot change the owner of files.
describe('as root', needs(rootUser), () => {
  test('writes as the owner of the folder', async () => {
    const somebody = 12_345
    const folder = await makeFolder('--bare')
    const first = await commit(folder)
    const base = await commit(folder, { files: { a: 'a' } })
    const head = await commit(folder, { branch: 'feature', parent: first, files: { b: 'b' } })
    await chmod(root, 0o755)
    for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
      await chown(path.join(folder, name), somebody, somebody)
    }

    const [into, from] = [base, head].map((sha) => ({ sha, committed_at: null }))
    const merge = into && from ? await mergeCommit(git, folder, 1, into, from) : undefined

    const object = path.join(folder, 'objects', (merge ?? '').replace(/^../, '$&/'))
    for (const file of [object, path.join(folder, 'refs/pull/1/merge')]) {
      expect(await stat(file)).toMatchObject({ uid: somebody, gid: somebody })
    }
    // Root itself must run git where that owner has no access.
    await chmod(root, 0o700)
    await git(folder, ['update-ref', 'refs/heads/other', base])
    expect(await stat(path.join(folder, 'refs/heads/other'))).toMatchObject({ uid: 0 })
  })
})
