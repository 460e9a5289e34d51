import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { builtFrom } from './support/built.ts'
import { scratchFolder } from './support/command.ts'

const root = path.dirname(import.meta.dirname)

/** A commit of this checkout as it is, but for one file; nothing is written to the repository. */
function commitWithOther(file: string) {
  const scratch = scratchFolder()
  const objects = path.join(scratch, 'objects')
  mkdirSync(objects)
  const git = (args: string[], { input = '', env = {} } = {}) =>
    execFileSync('git', args, {
      cwd: root,
      input,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    }).trim()
  const identity = { name: 'test', email: 'test@example.org' }
  const env = {
    GIT_INDEX_FILE: path.join(scratch, 'index'),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: path.resolve(
      root,
      git(['rev-parse', '--git-path', 'objects']),
    ),
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  }
  git(['add', '--all'], { env })
  const blob = git(['hash-object', '-w', '--stdin'], { input: 'export {}\n', env })
  git(['update-index', '--cacheinfo', `100644,${blob},${file}`], { env })
  const tree = git(['write-tree'], { env })
  const commit = git(['commit-tree', tree, '-m', 'Change a file'], { env })
  // For the program that compares: the checkout as it is.
  git(['add', '--all'], { env })
  return { commit, env }
}

test('--changed selects the tests that load a changed source from the build', () => {
  const { commit, env } = commitWithOther('src/store/people/organizations.ts')
  const program = path.join(root, 'node_modules/vitest/vitest.mjs')
  const rooms = ['test/store', 'test/lint']
  const listed = execFileSync(
    process.execPath,
    [program, 'list', '--filesOnly', '--json', '--changed', commit, ...rooms],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } },
  )
  const files = JSON.parse(listed.slice(listed.indexOf('['))) as { file: string }[]
  const selected = files.map(({ file }) => path.relative(root, file))
  expect(selected).toContain('test/store/former-logins.test.ts')
  expect(selected).not.toContain('test/store/master-key.test.ts')
  expect(selected.filter((file) => file.startsWith('test/lint'))).toEqual([])
})

test('a source has its file in the build, and nothing else has', () => {
  expect(builtFrom(path.join(root, 'src/http/pages/home/page.tsx'))).toBe(
    path.join(root, 'dist/http/pages/home/page.js'),
  )
  expect(builtFrom(path.join(root, 'test/built.test.ts'))).toBe(
    path.join(root, 'test/built.test.ts'),
  )
})
