import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { compileScript } from '../../src/script/compile.ts'
import type { ScriptInput } from '../../src/script/input.ts'
import { serveGit } from '../support/git-http.ts'
import { type Circumstances, type Ended, runProgram, scriptInput, withHome } from './program.ts'
import { makeRepository } from './repository.ts'

const execute = promisify(execFile)

const root = await mkdtemp(path.join(tmpdir(), 'build-service-clone-'))
const hello = await makeRepository(path.join(root, 'hello.git'))
const shas: string[] = []
for (let index = 1; index <= 5; index++) shas.push(await hello.commit(`commit ${index}`))
const [first = '', second = ''] = shas
const tip = shas.at(-1) ?? ''

const token = 'secret-token-of-the-clone'
const open = await serveGit(root)
const closed = await serveGit(root, token)

afterAll(async () => {
  await open.close()
  await closed.close()
  await rm(root, { recursive: true, force: true })
})

interface Given {
  commit?: Partial<ScriptInput['commit']>
  source?: ScriptInput['source']
  git?: Record<string, unknown>
  notes?: string[]
}

interface Cloned extends Ended {
  home: string
  git: (...args: string[]) => Promise<string>
  content: (file: string) => Promise<string>
}

/** Runs the clone program in a new home directory and hands over what came of it. */
function clone<T>(given: Given, use: (cloned: Cloned) => Promise<T>, env = {}): Promise<T> {
  return withHome(async (home) => {
    const folder = path.join(home, 'build/octavia/hello')
    const ended = await runProgram(programOf(given), { home, env: { ...quietGit, ...env } })
    return use({
      ...ended,
      home,
      git: async (...args) => (await execute('git', ['-C', folder, ...args])).stdout.trim(),
      content: (file) => readFile(path.join(folder, file), 'utf8'),
    })
  })
}

const quietGit: Circumstances['env'] = { GIT_CONFIG_NOSYSTEM: '1', SERVICE_INPUT: root }

function programOf({ commit, source, git, notes = [] }: Given): string {
  const input = scriptInput({
    notes,
    config: git ? { git } : {},
    source: source ?? { url: `${open.url}/hello.git`, token: null },
    commit: { ...scriptInput().commit, sha: tip, ...commit },
  })
  return compileScript(input).clone.replace('__service_pause=1', '__service_pause=0')
}

const sources = [
  ['over HTTP', { url: `${open.url}/hello.git`, token: null }],
  ['over HTTP with a token', { url: `${closed.url}/hello.git`, token }],
  ['from a folder', { input: 'hello.git' }],
] as const

describe.each(sources)('%s', (_, source) => {
  test.each([
    ['the tip', tip, 'commit 5'],
    ['an older commit', second, 'commit 2'],
    ['the first commit', first, 'commit 1'],
  ])('%s is checked out', async (_, sha, content) => {
    await clone({ source, commit: { sha } }, async (cloned) => {
      expect(cloned.code).toBe(0)
      expect(await cloned.git('rev-parse', 'HEAD')).toBe(sha)
      expect(await cloned.git('status', '--porcelain')).toBe('')
      expect(await cloned.content('file')).toBe(content)
    })
  })

  test('the merge commit of a pull request is checked out', async () => {
    const merge = await onBranch('feature', () => hello.commit('merged'))
    await hello.git('update-ref', 'refs/pull/9/merge', merge)
    const commit = { sha: merge, ref: 'refs/pull/9/merge' }
    await clone({ source, commit }, async ({ code, content }) => {
      expect({ code, content: await content('file') }).toEqual({ code: 0, content: 'merged' })
    })
  })

  test('a commit that is gone is said to be gone', async () => {
    const commit = { sha: 'f'.repeat(40), ref: 'refs/pull/404/merge' }
    await clone({ source, commit }, async ({ code, text, raw }) => {
      expect(code).toBe(2)
      expect(text).toContain(`Commit ${commit.sha} is gone`)
      expect(raw).toContain('␛[31;1mCommit')
      expect(text.match(/fetch .* refs\/pull\/404\/merge/g)).toHaveLength(1)
    })
  })
})

/** Leaves the branch, and the repository as it was. */
async function onBranch<T>(name: string, work: () => Promise<T>): Promise<T> {
  await hello.git('checkout', '-q', '-B', name)
  try {
    return await work()
  } finally {
    await hello.git('checkout', '-qf', 'main')
    await hello.git('branch', '-qD', name)
  }
}

test('a commit that is gone although its ref is there is said to be gone', async () => {
  await clone({ commit: { sha: 'f'.repeat(40) } }, async ({ code, text }) => {
    expect(code).toBe(2)
    expect(text).toContain('is gone: neither by its name nor by refs/heads/main')
  })
})

test('a repository that is not there is said to be unreadable', async () => {
  const source = { url: `${open.url}/nothing.git`, token: null }
  await clone({ source }, async ({ code, text }) => {
    expect(code).toBe(2)
    expect(text).toContain(`The repository cannot be read at ${source.url}.`)
    expect(text.match(/\$ git fetch/g)).toHaveLength(4)
  })
})

describe('where commits cannot be asked for by name', () => {
  const old = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'protocol.version',
    GIT_CONFIG_VALUE_0: '0',
  }

  test.each([50, 1, false])('the ref is fetched, as deep as need be: depth %j', async (depth) => {
    const given = { commit: { sha: second }, git: { depth } }
    await clone(
      given,
      async ({ code, content, text }) => {
        expect({ code, content: await content('file') }).toEqual({ code: 0, content: 'commit 2' })
        expect(text).toContain('could not be fetched by its name')
      },
      old,
    )
  })
})

describe('the history', () => {
  test.each([
    ['50 commits at most', {}, 5],
    ['one commit', { depth: 1 }, 1],
    ['two commits', { depth: 2 }, 2],
    ['everything', { depth: false }, 5],
  ])('holds %s: %j', async (_, git, commits) => {
    await clone({ git }, async (cloned) => {
      expect(await cloned.git('rev-list', '--count', 'HEAD')).toBe(String(commits))
    })
  })
})

describe('a tag', () => {
  test('is there, for tools that name versions after it', async () => {
    await hello.git('tag', '-f', '-a', '-m', 'release', 'v1', tip)
    const commit = { ref: 'refs/tags/v1', tag_name: 'v1' }
    await clone({ commit }, async ({ code, git, text }) => {
      expect({ code, version: await git('describe') }).toEqual({ code: 0, version: 'v1' })
      expect(text).not.toContain('no longer')
    })
  })

  test.each(['moved', 'deleted'])('that was %s since is told of', async (fate) => {
    if (fate === 'moved') await hello.git('tag', '-f', 'v2', first)
    const name = fate === 'moved' ? 'v2' : 'v3'
    const commit = { ref: `refs/tags/${name}`, tag_name: name }
    await clone({ commit }, async ({ code, text, git }) => {
      expect({ code, head: await git('rev-parse', 'HEAD') }).toEqual({ code: 0, head: tip })
      expect(text).toContain(`Tag ${name} no longer points to commit ${tip}`)
    })
  })
})

/** A repository with the second commit of the other one as submodule; answers its tip. */
async function outerWith(name: string, url: string): Promise<string> {
  const outer = await makeRepository(path.join(root, `${name}.git`))
  await outer.git('config', '-f', '.gitmodules', 'submodule.lib.path', 'lib')
  await outer.git('config', '-f', '.gitmodules', 'submodule.lib.url', url)
  await outer.commit('outer')
  await outer.git('update-index', '--add', '--cacheinfo', `160000,${second},lib`)
  await outer.git('commit', '-qm', 'submodule')
  return outer.git('rev-parse', 'HEAD')
}

describe('a token', () => {
  test('is nowhere to be found afterwards', async () => {
    const source = { url: `${closed.url}/hello.git`, token }
    const trace = { GIT_TRACE: '1', GIT_TRACE_CURL: '1', GIT_TRACE_SETUP: '1' }
    await clone(
      { source },
      async ({ code, raw, home }) => {
        expect(code).toBe(0)
        await rm(path.join(home, 'program.sh'))
        const sent = Buffer.from(`x-access-token:${token}`).toString('base64')
        for (const secret of [token, sent]) {
          expect(raw).not.toContain(secret)
          await expect(execute('grep', ['-rFl', secret, home])).rejects.toMatchObject({ code: 1 })
        }
      },
      trace,
    )
  })

  test.each([
    ['wrong', 'another-token'],
    ['missing', null],
  ])('that is %s leaves the repository unreadable, and nobody waits', async (_, token) => {
    const source = { url: `${closed.url}/hello.git`, token }
    await clone({ source }, async ({ code, text }) => {
      expect(code).toBe(2)
      expect(text).toContain('The repository cannot be read at')
    })
  })

  test('is answered to its own host only', async () => {
    const other = await serveGit(root, 'token-of-another-host')
    const sha = await outerWith('outer', `${other.url}/hello.git`)
    const source = { url: `${closed.url}/outer.git`, token }
    await clone({ source, commit: { sha } }, async ({ code, text }) => {
      expect(code).toBe(2)
      expect(text).toContain('The submodules cannot be checked out.')
    })
    await other.close()
    expect(other.authorizations.length).toBeGreaterThan(0)
    const sent = other.authorizations.map((header) =>
      Buffer.from(header?.split(' ')[1] ?? '', 'base64').toString(),
    )
    expect(sent.join('\n')).not.toContain(token)
  })
})

describe('submodules', () => {
  const source = { url: `${closed.url}/super.git`, token }

  test('are checked out, with the token where it is the same host', async () => {
    const sha = await outerWith('super', '../hello.git')
    await clone({ source, commit: { sha } }, async ({ code, content, raw }) => {
      expect({ code, content: await content('lib/file') }).toEqual({ code: 0, content: 'commit 2' })
      expect(raw).toContain('service_fold:start:git.submodule\r')
    })
  })

  test('are left alone when the build file says so', async () => {
    const sha = await outerWith('super', '../hello.git')
    const git = { submodules: false }
    await clone({ source, commit: { sha }, git }, async ({ code, content }) => {
      expect(code).toBe(0)
      await expect(content('lib/file')).rejects.toMatchObject({ code: 'ENOENT' })
    })
  })

  test('that fail end the clone with 2', async () => {
    const sha = await outerWith('broken', `${open.url}/nothing.git`)
    const broken = { url: `${open.url}/broken.git`, token: null }
    await clone({ source: broken, commit: { sha } }, async ({ code }) => expect(code).toBe(2))
  })

  test.each([
    ['a folder', { input: 'thief.git' }],
    ['HTTP', { url: `${open.url}/thief.git`, token: null }],
  ])('cannot be folders of this machine, for a clone from %s', async (_, source) => {
    const sha = await outerWith('thief', `file://${hello.folder}`)
    await clone({ source, commit: { sha } }, async ({ code, text }) => {
      expect(code).toBe(2)
      expect(text).toContain("transport 'file' not allowed")
    })
  })
})

test('after a clone from a folder nothing points there', async () => {
  await clone({ source: { input: 'hello.git' } }, async ({ code, git, home }) => {
    expect({ code, remotes: await git('remote') }).toEqual({ code: 0, remotes: '' })
    await rm(path.join(home, 'program.sh'))
    await expect(execute('grep', ['-rFl', root, home])).rejects.toMatchObject({ code: 1 })
  })
})

test('a clone over HTTP keeps its origin, as it was given', async () => {
  const url = `${closed.url}/hello.git`
  await clone({ source: { url, token } }, async ({ git }) => {
    expect(await git('remote', 'get-url', 'origin')).toBe(url)
  })
})

test('a repository that is there already is brought to the commit', async () => {
  await withHome(async (home) => {
    const folder = path.join(home, 'build/octavia/hello')
    const there = await makeRepository(folder)
    await there.commit('of the image')
    await there.git('remote', 'add', 'origin', 'http://elsewhere.example/x.git')
    const files = { file: 'changed', '.git/hooks/post-checkout': '#!/bin/sh\ntouch ~/hooked\n' }
    const { code } = await runProgram(programOf({}), { home, files, env: { ...quietGit } })
    const { stdout } = await execute('git', ['-C', folder, 'log', '-1', '--format=%s'])
    expect({ code, subject: stdout.trim() }).toEqual({ code: 0, subject: 'commit 5' })
    await expect(readFile(path.join(home, 'hooked'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('nothing is fetched when the build file says so', async () => {
  await clone({ git: { clone: false }, commit: { sha: 'x' } }, async ({ code, text }) => {
    expect({ code, text }).toEqual({
      code: 0,
      text: 'Nothing is fetched, since .service.yml says so (git.clone).\n',
    })
  })
})

test('notes stand at the top, in yellow', async () => {
  await clone({ notes: ['first', "it's second"], git: { clone: false } }, async ({ raw }) => {
    expect(raw).toMatch(/^␛\[33;1mfirst␛\[0m\n␛\[33;1mit's second␛\[0m\n/)
  })
})

test('settings of git hold for the work tree', async () => {
  const git = { autocrlf: 'input', symlinks: false, sparse_checkout: ['/file'], quiet: true }
  const sha = await onBranch('sparse', () => hello.commit('more', 'other'))
  await hello.git('update-ref', 'refs/keep/sparse', sha)
  await clone({ git, commit: { sha } }, async (cloned) => {
    expect(cloned.code).toBe(0)
    expect(await cloned.git('config', 'core.autocrlf')).toBe('input')
    expect(await cloned.git('config', 'core.symlinks')).toBe('false')
    expect(await cloned.content('file')).toBe('commit 5')
    await expect(cloned.content('other')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('the fold and its times are closed', async () => {
  await clone({}, async ({ raw }) => {
    expect([...raw.matchAll(/service_fold:(\w+:[\w.]+)\r/g)].map(([, name]) => name)).toEqual([
      'start:git.checkout',
      'end:git.checkout',
    ])
    expect(raw).toMatch(
      /service_time:end:[\da-f]{8}:start=\d+,finish=\d+,duration=\d+,event=checkout\r/,
    )
  })
})

test('without git there is a plain word about it', async () => {
  const { code, text } = await runProgram(`PATH=/nowhere\n${programOf({})}`)
  expect({ code, text }).toEqual({
    code: 2,
    text: 'There is no git here to fetch the commit with.\n',
  })
})

test('a folder that belongs to somebody else can be fetched from', async () => {
  const source = { input: 'hello.git' }
  const env = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
  await clone({ source }, async ({ code }) => expect(code).toBe(0), env)
})

test('a folder that cannot be made ends with 2', async () => {
  const files = { '~/build': 'a file' }
  const { code, text } = await runProgram(programOf({}), { files, env: { ...quietGit } })
  expect(code).toBe(2)
  expect(text).toContain('The folder of the build cannot be made.')
})
