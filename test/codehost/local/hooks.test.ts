import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createGit } from '../../../src/codehost/local/git.ts'
import { hookFailure, hookLog } from '../../../src/codehost/local/hooks/hook-log.ts'
import { installHook, removeHooks } from '../../../src/codehost/local/hooks/hooks.ts'
import { commit, git, temporaryFolders } from './git-folder.ts'

const { newFolder, makeFolder } = await temporaryFolders()
const run = createGit()

/**
 * A repository, and a command that reports once that it was called; a reader waits for the report.
 */
async function makeCalled(...options: string[]) {
  const folder = await makeFolder(...options)
  const directory = options.includes('--bare') ? folder : path.join(folder, '.git')
  const pipe = path.join(directory, "it's called")
  execFileSync('mkfifo', [pipe])
  const quoted = `'${pipe.replaceAll("'", `'\\''`)}'`
  const command = `echo "called with <$GIT_DIR>" > ${quoted}`
  const call = () => readFile(pipe, 'utf8')
  const hook = (name: string) => path.join(directory, 'hooks', name)
  return { folder, directory, command, call, hook }
}

const word = 'called with <>\n'

describe('the hook calls the command', () => {
  test('after a push to a bare repository', async () => {
    const { folder, directory, command, call } = await makeCalled('--bare')
    expect(await installHook(run, directory, command)).toEqual({
      installed: ['post-receive'],
      notes: [],
    })
    const clone = await makeFolder()
    await commit(clone)
    // The push ends although no process reads the command's pipe yet.
    await git(clone, 'push', '--quiet', folder, 'main')
    expect(await call()).toBe(word)
  })

  test('after a commit and a merge in a work tree', async () => {
    const { folder, directory, command, call } = await makeCalled()
    expect(await installHook(run, directory, command)).toEqual({
      installed: ['post-commit', 'post-merge'],
      notes: [],
    })
    await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'One')
    expect(await call()).toBe(word)

    await commit(folder, { branch: 'ahead', parent: await git(folder, 'rev-parse', 'HEAD') })
    await git(folder, 'merge', '--quiet', '--ff-only', 'ahead')
    expect(await call()).toBe(word)
  })

  test('without failing the commit if the command fails', async () => {
    const { folder, directory } = await makeCalled()
    await installHook(run, directory, 'exit 1')
    expect(await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'One')).toBe('')
  })

  test('and keeps its error until it succeeds', async () => {
    const { folder, directory } = await makeCalled()
    const commit = () => git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'One')
    await installHook(run, directory, 'echo "no such service" >&2')
    await commit()
    await vi.waitFor(async () =>
      expect(await hookFailure(directory)).toMatchObject({ text: 'no such service' }),
    )
    await installHook(run, directory, 'true')
    await commit()
    await vi.waitFor(async () => expect(await hookFailure(directory)).toBeUndefined())
    await removeHooks(run, directory)
    expect(existsSync(hookLog(directory))).toBe(false)
  })
})

describe('an existing hook', () => {
  test('is replaced if it is ours', async () => {
    const { directory, hook } = await makeCalled('--bare')
    await installHook(run, directory, 'one')
    await installHook(run, directory, 'two')
    const text = await readFile(hook('post-receive'), 'utf8')
    expect(text.split('\n')).toEqual([
      '#!/bin/sh',
      '# Tells build-service what has changed here. Made by "build-service local add".',
      `(unset $(git rev-parse --local-env-vars); two) </dev/null >/dev/null 2>'${hookLog(directory)}' &`,
      '',
    ])
  })

  test.each([
    ['of another author', '#!/bin/sh\necho mine\n'],
    ['without content', ''],
  ])('%s stays, and a note suggests what to add', async (_, mine) => {
    const { directory, command, hook } = await makeCalled()
    await writeFile(hook('post-commit'), mine)
    const line =
      `(unset $(git rev-parse --local-env-vars); ${command}) </dev/null >/dev/null ` +
      `2>'${hookLog(directory)}' &`
    expect(await installHook(run, directory, command)).toEqual({
      installed: ['post-merge'],
      notes: [
        `${hook('post-commit')} was not created by build-service and is not changed; ` +
          `add this line to it: ${line}`,
      ],
    })
    expect(await readFile(hook('post-commit'), 'utf8')).toBe(mine)

    await writeFile(hook('post-commit'), `${mine}${line}\n`)
    expect(await installHook(run, directory, command)).toMatchObject({ notes: [] })
  })

  test('of ours stays if a user has extended it', async () => {
    const { directory, hook } = await makeCalled('--bare')
    await installHook(run, directory, 'one')
    const text = `${await readFile(hook('post-receive'), 'utf8')}echo mine\n`
    await writeFile(hook('post-receive'), text)
    expect(await installHook(run, directory, 'two')).toMatchObject({ installed: [] })
    await removeHooks(run, directory)
    expect(await readFile(hook('post-receive'), 'utf8')).toBe(text)
  })

  test('that is a link stays, even if its target is missing', async () => {
    const { directory, hook } = await makeCalled('--bare')
    await symlink('nowhere', hook('post-receive'))
    expect(await installHook(run, directory, 'true')).toMatchObject({ installed: [] })
    expect((await lstat(hook('post-receive'))).isSymbolicLink()).toBe(true)
  })
})

test('if hooks are in another folder, a note suggests what to add there', async () => {
  const { folder, directory } = await makeCalled()
  await git(folder, 'config', 'core.hooksPath', '.husky')
  expect(await installHook(run, directory, 'true')).toEqual({
    installed: [],
    notes: [
      expect.stringMatching(/^\.husky\/post-commit was not created by/),
      expect.stringMatching(/^\.husky\/post-merge was not created by/),
    ],
  })
})

test('a hooks folder that is a link is left alone', async () => {
  const folder = await makeFolder('--bare', '--template=')
  const elsewhere = newFolder()
  await mkdir(elsewhere, { recursive: true })
  await symlink(elsewhere, path.join(folder, 'hooks'))
  expect(await installHook(run, folder, 'true')).toMatchObject({ installed: [] })
})

test('a missing hooks folder is created', async () => {
  const folder = await makeFolder('--bare', '--template=')
  expect(await installHook(run, folder, 'true')).toMatchObject({ notes: [] })
  expect((await lstat(path.join(folder, 'hooks/post-receive'))).mode & 0o777).toBe(0o755)
})
