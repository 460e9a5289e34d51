import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { noRoomCode, refusedCode } from '../../src/script/clone-codes.ts'
import { serveGit } from '../support/git-http.ts'
import { cloneScene, execute, token } from './clone-scene.ts'
import { runProgram, withHome } from './program.ts'
import { makeRepository } from './repository.ts'

const { clone, closed, first, hello, open, programOf, quietGit, root, second, tip } =
  await cloneScene()

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

  test('a deleted commit of a pull request is reported as gone', async () => {
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

test('a deleted commit whose ref still exists is reported as gone', async () => {
  await clone({ commit: { sha: 'f'.repeat(40) } }, async ({ code, text }) => {
    expect(code).toBe(2)
    expect(text).toContain('is gone: it can be fetched neither by its hash nor by refs/heads/main')
  })
})

test('a missing repository is reported as unreadable', async () => {
  const source = { url: `${open.url}/nothing.git`, token: null }
  await clone({ source }, async ({ code, text }) => {
    expect(code).toBe(2)
    expect(text).toContain(`The repository cannot be read at ${source.url}.`)
    expect(text.match(/\$ git fetch/g)).toHaveLength(2)
  })
})

test('the clone waits for a code host that is unreachable for a while', async () => {
  let away = 4
  const doors = createServer((request, response) => {
    away -= 1
    if (away === 2) return void request.destroy()
    if (away >= 0) return void response.writeHead(503).end()
    response.writeHead(302, { location: `${open.url}${request.url}` }).end()
  }).listen(0, '127.0.0.1')
  await once(doors, 'listening')
  const { port } = doors.address() as AddressInfo
  const source = { url: `http://127.0.0.1:${port}/hello.git`, token: null }
  await clone({ source }, async ({ code, content, text }) => {
    expect({ code, content: await content('file') }).toEqual({ code: 0, content: 'commit 5' })
    expect(text).toContain('The code host cannot be reached. Retrying in 2 seconds.')
    expect(text).not.toContain('could not be fetched by its hash')
  })
  doors.close()
})

describe('a token that is rejected', () => {
  test.each([401, 403] as const)('with %d for a while is accepted in the end', async (status) => {
    const fickle = await serveGit(root, token, { status, times: 3 })
    const source = { url: `${fickle.url}/hello.git`, token }
    await clone({ source }, async ({ code, content, text }) => {
      expect({ code, content: await content('file') }).toEqual({ code: 0, content: 'commit 5' })
      expect(text).toContain('does not accept the token that it has made for this job. Retrying')
    })
    await fickle.close()
  })

  test.each([
    [401, 1],
    [403, 1],
    [403, 2],
  ] as const)(
    'with %d, %d times, does not lose a commit that only its hash leads to',
    async (status, times) => {
      const gone = await onBranch('merge', () => hello.commit('of a merge'))
      const fickle = await serveGit(root, token, { status, times })
      const source = { url: `${fickle.url}/hello.git`, token }
      const commit = { sha: gone, ref: 'refs/pull/3/merge' }
      await clone({ source, commit }, async ({ code, content }) => {
        expect({ code, content: await content('file') }).toEqual({ code: 0, content: 'of a merge' })
      })
      await fickle.close()
    },
  )

  test.each([401, 403] as const)(
    'with %d permanently is not a result of the job',
    async (status) => {
      const stern = await serveGit(root, token, { status, times: Infinity })
      const source = { url: `${stern.url}/hello.git`, token }
      await clone({ source }, async ({ code, text }) => {
        expect(code).toBe(refusedCode)
        expect(text.match(/Retrying in/g)).toHaveLength(6)
        expect(text).not.toContain(token)
      })
      await stern.close()
    },
  )
})

describe('if commits cannot be fetched by hash', () => {
  const old = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'protocol.version',
    GIT_CONFIG_VALUE_0: '0',
  }

  test.each([50, 1, false])('the ref is fetched as deep as needed: depth %j', async (depth) => {
    const given = { commit: { sha: second }, git: { depth } }
    await clone(
      given,
      async ({ code, content, text }) => {
        expect({ code, content: await content('file') }).toEqual({ code: 0, content: 'commit 2' })
        expect(text).toContain('could not be fetched by its hash')
      },
      old,
    )
  })
})

describe('the history', () => {
  test.each([
    ['at most 50 commits', {}, 5],
    ['one commit', { depth: 1 }, 1],
    ['two commits', { depth: 2 }, 2],
    ['everything', { depth: false }, 5],
  ])('contains %s: %j', async (_, git, commits) => {
    await clone({ git }, async (cloned) => {
      expect(await cloned.git('rev-list', '--count', 'HEAD')).toBe(String(commits))
    })
  })
})

test('the whole history includes its tags, for tools that derive versions from them', async () => {
  await hello.git('tag', '-f', '-a', '-m', 'release', 'v0', first)
  await clone({ git: { depth: false } }, async ({ git }) => {
    expect(await git('describe')).toMatch(/^v0-4-g/)
  })
  await hello.git('tag', '-d', 'v0')
})

describe('a tag', () => {
  test('is fetched, for tools that derive versions from it', async () => {
    await hello.git('tag', '-f', '-a', '-m', 'release', 'v1', tip)
    const commit = { ref: 'refs/tags/v1', tag_name: 'v1' }
    await clone({ commit }, async ({ code, git, text }) => {
      expect({ code, version: await git('describe') }).toEqual({ code: 0, version: 'v1' })
      expect(text).not.toContain('no longer')
    })
  })

  test.each(['moved', 'deleted'])('that was %s in the meantime is reported', async (fate) => {
    if (fate === 'moved') await hello.git('tag', '-f', 'v2', first)
    const name = fate === 'moved' ? 'v2' : 'v3'
    const commit = { ref: `refs/tags/${name}`, tag_name: name }
    await clone({ commit }, async ({ code, text, git }) => {
      expect({ code, head: await git('rev-parse', 'HEAD') }).toEqual({ code: 0, head: tip })
      expect(text).toContain(`Tag ${name} no longer points to commit ${tip}`)
    })
  })
})

test('after a clone from a folder no setting refers to that folder', async () => {
  await clone({ source: { input: 'hello.git' } }, async ({ code, git, home }) => {
    expect({ code, remotes: await git('remote') }).toEqual({ code: 0, remotes: '' })
    await rm(path.join(home, 'program.sh'))
    await expect(execute('grep', ['-rFl', root, home])).rejects.toMatchObject({ code: 1 })
  })
})

test('a clone over HTTP keeps the given address as its origin', async () => {
  const url = `${closed.url}/hello.git`
  await clone({ source: { url, token } }, async ({ git }) => {
    expect(await git('remote', 'get-url', 'origin')).toBe(url)
  })
})

test('an existing repository is updated to the commit', async () => {
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

test('nothing is fetched if the build file disables the clone', async () => {
  await clone({ git: { clone: false }, commit: { sha: 'x' } }, async ({ code, text }) => {
    expect({ code, text }).toEqual({
      code: 0,
      text: 'Nothing is fetched, because git.clone is false in .service.yml.\n',
    })
  })
})

test('notes are printed first, in yellow', async () => {
  await clone({ notes: ['first', "it's second"], git: { clone: false } }, async ({ raw }) => {
    expect(raw).toMatch(/^␛\[33;1mfirst␛\[0m\n␛\[33;1mit's second␛\[0m\n/)
  })
})

test('git settings apply to the work tree', async () => {
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

test('the fold and its timers are closed', async () => {
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

test('a missing git is reported in a sentence', async () => {
  const { code, text } = await runProgram(`PATH=/nowhere\n${programOf({})}`)
  expect({ code, text }).toEqual({
    code: 2,
    text: 'Git is not installed, so the commit cannot be fetched.\n',
  })
})

test('a folder of another user can be fetched from', async () => {
  const source = { input: 'hello.git' }
  const env = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
  await clone({ source }, async ({ code }) => expect(code).toBe(0), env)
})

test('a folder that cannot be created ends the clone with exit code 2', async () => {
  const files = { '~/build': 'a file' }
  const { code, text } = await runProgram(programOf({}), { files, env: { ...quietGit } })
  expect(code).toBe(2)
  expect(text).toContain('The folder of the build cannot be created.')
})

test('a full disk is not a result, and is distinguished from other failures', async () => {
  // As on a full disk: no file can be longer.
  const full = "trap '' XFSZ; ulimit -f 64\n"
  await writeFile(path.join(hello.folder, 'large'), 'x'.repeat(200_000))
  const commit = { sha: await hello.commit('a large file beside it') }
  const run = (text: string) => runProgram(text, { env: { ...quietGit } })
  const { code, text } = await run(full + programOf({ commit }))
  expect(code).toBe(noRoomCode)
  expect(text).toContain('The disk of this machine is full, which is no fault of the job')
  expect((await run(programOf({ commit: { sha: 'f'.repeat(40) } }))).code).toBe(2)
})
