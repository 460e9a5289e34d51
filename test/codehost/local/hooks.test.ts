import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { installHook } from '../../../src/codehost/local/hooks.ts'
import { addRepository, removeRepository } from '../../../src/codehost/local/register.ts'
import { commit, git } from './git-folder.ts'
import { localScene } from './scene.ts'

const { local, newFolder, makeFolder } = await localScene()

/** A repository, and a command that tells once that it was called; whoever reads waits for it. */
async function makeCalled(...options: string[]) {
  const folder = await makeFolder(...options)
  const repository = await addRepository(local, folder)
  const directory = options.includes('--bare') ? folder : path.join(folder, '.git')
  const pipe = path.join(directory, "it's called")
  await git(folder, 'config', 'alias.mkfifo', '!mkfifo')
  await git(folder, 'mkfifo', pipe)
  const quoted = `'${pipe.replaceAll("'", `'\\''`)}'`
  const command = `echo "called with <$GIT_DIR>" > ${quoted}`
  const call = () => readFile(pipe, 'utf8')
  const hook = (name: string) => path.join(directory, 'hooks', name)
  return { folder, repository, command, call, hook }
}

const word = 'called with <>\n'

describe('the hook calls the command', () => {
  test('after a push to a bare repository', async () => {
    const { folder, repository, command, call } = await makeCalled('--bare')
    expect(await installHook(local, repository, command)).toEqual({
      installed: ['post-receive'],
      notes: [],
    })
    const clone = await makeFolder()
    await commit(clone)
    // The push ends although nobody listens to the command yet.
    await git(clone, 'push', '--quiet', folder, 'main')
    expect(await call()).toBe(word)
  })

  test('after a commit and a merge where people work', async () => {
    const { folder, repository, command, call } = await makeCalled()
    expect(await installHook(local, repository, command)).toEqual({
      installed: ['post-commit', 'post-merge'],
      notes: [],
    })
    await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'One')
    expect(await call()).toBe(word)

    await commit(folder, { branch: 'ahead', parent: await git(folder, 'rev-parse', 'HEAD') })
    await git(folder, 'merge', '--quiet', '--ff-only', 'ahead')
    expect(await call()).toBe(word)
  })

  test('whatever becomes of it', async () => {
    const { folder, repository } = await makeCalled()
    await installHook(local, repository, 'exit 1')
    expect(await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'One')).toBe('')
  })
})

describe('a hook that is there', () => {
  test('is replaced when it is ours', async () => {
    const { repository, hook } = await makeCalled('--bare')
    await installHook(local, repository, 'one')
    await installHook(local, repository, 'two')
    const text = await readFile(hook('post-receive'), 'utf8')
    expect(text.split('\n')).toEqual([
      '#!/bin/sh',
      '# Tells build-service what has changed here. Made by "build-service local add".',
      '(unset $(git rev-parse --local-env-vars); two) </dev/null >/dev/null 2>&1 &',
      '',
    ])
  })

  test.each([
    ['of somebody else', '#!/bin/sh\necho mine\n'],
    ['of nothing', ''],
  ])('and %s stays, and one is told what to add', async (_, mine) => {
    const { repository, command, hook } = await makeCalled()
    await writeFile(hook('post-commit'), mine)
    const line = `(unset $(git rev-parse --local-env-vars); ${command}) </dev/null >/dev/null 2>&1 &`
    expect(await installHook(local, repository, command)).toEqual({
      installed: ['post-merge'],
      notes: [
        `${hook('post-commit')} was not made by build-service and is left as it is; ` +
          `add this line to it: ${line}`,
      ],
    })
    expect(await readFile(hook('post-commit'), 'utf8')).toBe(mine)

    await writeFile(hook('post-commit'), `${mine}${line}\n`)
    expect(await installHook(local, repository, command)).toMatchObject({ notes: [] })
  })

  test('and was ours stays when somebody has added to it', async () => {
    const { repository, hook } = await makeCalled('--bare')
    await installHook(local, repository, 'one')
    const text = `${await readFile(hook('post-receive'), 'utf8')}echo mine\n`
    await writeFile(hook('post-receive'), text)
    expect(await installHook(local, repository, 'two')).toMatchObject({ installed: [] })
    await removeRepository(local, repository)
    expect(await readFile(hook('post-receive'), 'utf8')).toBe(text)
  })

  test('and is a link stays, also when it leads nowhere', async () => {
    const { repository, hook } = await makeCalled('--bare')
    await symlink('nowhere', hook('post-receive'))
    expect(await installHook(local, repository, 'true')).toMatchObject({ installed: [] })
    expect((await lstat(hook('post-receive'))).isSymbolicLink()).toBe(true)
  })
})

test('where hooks are kept elsewhere, one is told what to add there', async () => {
  const { folder, repository } = await makeCalled()
  await git(folder, 'config', 'core.hooksPath', '.husky')
  expect(await installHook(local, repository, 'true')).toEqual({
    installed: [],
    notes: [
      expect.stringMatching(/^\.husky\/post-commit was not made by/),
      expect.stringMatching(/^\.husky\/post-merge was not made by/),
    ],
  })
})

test('a folder of hooks that is a link is left alone', async () => {
  const folder = await makeFolder('--bare', '--template=')
  const elsewhere = newFolder()
  await mkdir(elsewhere, { recursive: true })
  await symlink(elsewhere, path.join(folder, 'hooks'))
  const repository = await addRepository(local, folder)
  expect(await installHook(local, repository, 'true')).toMatchObject({ installed: [] })
})

test('a folder for hooks is made where there is none', async () => {
  const folder = await makeFolder('--bare', '--template=')
  const repository = await addRepository(local, folder)
  expect(await installHook(local, repository, 'true')).toMatchObject({ notes: [] })
  expect((await lstat(path.join(folder, 'hooks/post-receive'))).mode & 0o777).toBe(0o755)
})
