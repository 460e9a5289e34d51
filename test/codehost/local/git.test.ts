import { chmod, chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createGit } from '../../../src/codehost/local/git.ts'
import { mergeCommit } from '../../../src/codehost/local/merge.ts'
import { readCommitAt } from '../../../src/codehost/local/commits.ts'
import { commit, makeGitFolder, temporaryFolder } from './git-folder.ts'
import * as setUp from './git-folder.ts'

const root = await temporaryFolder()
const bare = await makeGitFolder(path.join(root, 'bare'), '--bare')
const sha = await commit(bare, { files: { file: 'x'.repeat(5000) } })
const git = createGit()

test('answers what git printed', async () => {
  const { code, output } = await git(bare, ['cat-file', 'blob', `${sha}:file`])
  expect({ code, text: output.toString() }).toEqual({ code: 0, text: 'x'.repeat(5000) })
})

test('takes the exit codes it is told to for answers', async () => {
  const answer = git(bare, ['symbolic-ref', '-q', 'refs/none'], { accept: [0, 1] })
  expect(await answer).toMatchObject({ code: 1 })
})

test.each([
  ['a failure', git, ['cat-file', 'blob', 'main'], /^git cat-file in .*bare: .*bad file$/, false],
  [
    'too much output',
    createGit(undefined, 1000),
    ['cat-file', 'blob', `${sha}:file`],
    /too much/,
    false,
  ],
  [
    'a missing program',
    createGit('/nonexistent'),
    ['version'],
    /install git 2.38 or later$/,
    false,
  ],
] as const)('tells of %s in a sentence', async (_, git, args, message, temporary) => {
  await expect(git(bare, args)).rejects.toMatchObject({
    message: expect.stringMatching(message),
    temporary,
  })
})

test('may be asked again when another git is writing there', async () => {
  const folder = await makeGitFolder(path.join(root, 'locked'), '--bare')
  const sha = await commit(folder)
  await writeFile(path.join(folder, 'refs/heads/other.lock'), '')
  await expect(git(folder, ['update-ref', 'refs/heads/other', sha])).rejects.toMatchObject({
    temporary: true,
  })
})

test('knows nothing of the caller and runs no hooks of the repository', async () => {
  const folder = await makeGitFolder(path.join(root, 'hooked'), '--bare')
  const sha = await commit(folder)
  const hook = path.join(folder, 'hooks/reference-transaction')
  await mkdir(path.dirname(hook), { recursive: true })
  await writeFile(hook, '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
  await git(folder, ['update-ref', 'refs/heads/other', sha])
  expect(await readdir(folder)).not.toContain('ran')

  await setUp.git(folder, 'update-ref', 'refs/heads/another', sha)
  expect(await readdir(folder)).toContain('ran')
})

test('does not look for a repository in the folders above', async () => {
  const inside = path.join(bare, 'inside')
  await mkdir(inside)
  await expect(git(inside, ['rev-parse', 'HEAD'])).rejects.toThrow('there is no git repository at')
})

// Others cannot give files away.
test.runIf(process.getuid?.() === 0)('writes as the owner of the folder', async () => {
  const somebody = 12_345
  const folder = await makeGitFolder(path.join(root, 'owned'), '--bare')
  const first = await commit(folder)
  const base = await commit(folder, { files: { a: 'a' } })
  const head = await commit(folder, { branch: 'feature', parent: first, files: { b: 'b' } })
  await chmod(root, 0o755)
  for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
    await chown(path.join(folder, name), somebody, somebody)
  }

  const sides = await Promise.all([base, head].map((sha) => readCommitAt(git, folder, sha)))
  const [into, from] = sides
  if (!into || !from) expect.fail('the commits are not there')
  const merge = await mergeCommit(git, folder, 1, into, from)

  const written = [
    path.join(folder, 'refs/pull/1/merge'),
    path.join(folder, 'objects', merge?.slice(0, 2) ?? '', merge?.slice(2) ?? ''),
  ]
  for (const file of written) expect(await stat(file)).toMatchObject({ uid: somebody })
})
