import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createGit } from '../../../src/codehost/local/git.ts'
import {
  contains,
  defaultBranch,
  refsBelow,
  tipsOf,
} from '../../../src/codehost/local/refs/refs.ts'
import { commit, git, temporaryFolders } from './git-folder.ts'

const { makeFolder } = await temporaryFolders()
const run = createGit()

test.each([
  ['HEAD in a bare repository', '--bare', 'trunk', ['main', 'trunk'], 'trunk'],
  ['main if HEAD of a bare repository leads nowhere', '--bare', 'master', ['main', 'a'], 'main'],
  ['main if another branch is checked out', '--quiet', 'feature', ['feature', 'main'], 'main'],
  ['master if there is no main', '--quiet', 'feature', ['feature', 'master'], 'master'],
  ['the checked-out branch if there is neither', '--quiet', 'trunk', ['a', 'trunk'], 'trunk'],
  ['the first one in all other cases', '--bare', 'gone', ['b', 'a'], 'a'],
  ['the future branch in an empty repository', '--quiet', 'trunk', [], 'trunk'],
])('the default branch is %s', async (_, option, head, branches, expected) => {
  const folder = await makeFolder(option)
  await git(folder, 'symbolic-ref', 'HEAD', `refs/heads/${head}`)
  for (const branch of branches) await commit(folder, { branch })
  expect(await defaultBranch(run, await directory(folder))).toBe(expected)
})

test('the default branch of a clone is that of its origin', async () => {
  const folder = await makeFolder()
  for (const branch of ['main', 'trunk']) await commit(folder, { branch })
  await git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk')
  expect(await defaultBranch(run, await directory(folder))).toBe('trunk')
})

test('refs are listed by name, with their targets', async () => {
  const folder = await makeFolder('--bare')
  const names = ['main', 'quo"te', "it's", '$(x)', '%00', 'größe', '-x']
  const sha = await commit(folder)
  for (const name of names) await git(folder, 'update-ref', `refs/heads/${name}`, sha)
  const listed = await refsBelow(run, folder, ['refs/heads'])
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(names.map((name) => [`refs/heads/${name}`, sha])),
  )
})

test('an empty list of names finds no refs', async () => {
  const folder = await makeFolder('--bare')
  await commit(folder)
  expect(await refsBelow(run, folder, [])).toEqual(new Map())
})

test('refs whose names are not UTF-8 are left out', async () => {
  const folder = await makeFolder('--bare')
  const sha = await commit(folder)
  const packed = Buffer.from(`${sha} refs/heads/gr\u00FC\u00DFe\n${sha} refs/heads/z\n`, 'latin1')
  await writeFile(path.join(folder, 'packed-refs'), packed)
  await commit(folder, { branch: 'größe', parent: sha })
  const listed = await refsBelow(run, folder, ['refs/heads'])
  expect([...listed.keys()]).toEqual(['refs/heads/größe', 'refs/heads/main', 'refs/heads/z'])
})

test('the tip of a branch is not that of a nested branch or a tag', async () => {
  const folder = await makeFolder('--bare')
  const sha = await commit(folder, { branch: 'feature/a' })
  await git(folder, 'tag', 'b', sha)
  await git(folder, 'tag', 'refs/heads/c', sha)
  expect(await tipsOf(run, folder, ['feature/a', 'feature', 'b', 'c'])).toEqual([
    sha,
    ...[undefined, undefined, undefined],
  ])
})

test('a commit contains its ancestors and itself', async () => {
  const folder = await makeFolder('--bare')
  const first = await commit(folder)
  const second = await commit(folder)
  const absent = 'f'.repeat(40)
  expect(await contains(run, folder, second, first)).toBe(true)
  expect(await contains(run, folder, second, second)).toBe(true)
  expect(await contains(run, folder, first, second)).toBe(false)
  expect(await contains(run, folder, second, absent)).toBe(false)
})

/** Git is run in git directories only. */
async function directory(folder: string): Promise<string> {
  return git(folder, 'rev-parse', '--absolute-git-dir')
}
