import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { serveGit } from '../support/git-http.ts'
import { cloneScene, execute, token } from './clone-scene.ts'
import { makeRepository } from './repository.ts'

const { clone, closed, hello, open, root, second } = await cloneScene()

/** A repository with the second commit of the other one as submodule; returns its tip. */
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
  test('leaves no trace after the clone', async () => {
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

  test('that is missing makes the repository unreadable, without a prompt', async () => {
    const source = { url: `${closed.url}/hello.git`, token: null }
    await clone({ source }, async ({ code, text }) => {
      expect(code).toBe(2)
      expect(text).toContain('The repository cannot be read at')
    })
  })

  test('is sent only to its own host', async () => {
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

  test('are checked out, with the token if they are on the same host', async () => {
    const sha = await outerWith('super', '../hello.git')
    await clone({ source, commit: { sha } }, async ({ code, content, raw }) => {
      expect({ code, content: await content('lib/file') }).toEqual({ code: 0, content: 'commit 2' })
      expect(raw).toContain('service_fold:start:git.submodule\r')
    })
  })

  test('are left alone if the build file disables them', async () => {
    const sha = await outerWith('super', '../hello.git')
    const git = { submodules: false }
    await clone({ source, commit: { sha }, git }, async ({ code, content }) => {
      expect(code).toBe(0)
      await expect(content('lib/file')).rejects.toMatchObject({ code: 'ENOENT' })
    })
  })

  test('that fail end the clone with exit code 2', async () => {
    const sha = await outerWith('broken', `${open.url}/nothing.git`)
    const broken = { url: `${open.url}/broken.git`, token: null }
    await clone({ source: broken, commit: { sha } }, async ({ code }) => expect(code).toBe(2))
  })

  test('are tried three times if their own host is unreachable, and the log names the host', async () => {
    let asked = 0
    const away = createServer((_, response) => {
      asked += 1
      response.writeHead(503).end()
    }).listen(0, '127.0.0.1')
    await once(away, 'listening')
    const { port } = away.address() as AddressInfo
    const sha = await outerWith('elsewhere', `http://user:word@127.0.0.1:${port}/lib.git`)
    const elsewhere = { url: `${open.url}/elsewhere.git`, token: null }
    await clone({ source: elsewhere, commit: { sha } }, async ({ code, text }) => {
      expect(code).toBe(2)
      expect(text.match(/^.* cannot be reached.*$/gm)).toEqual([
        '127.0.0.1 cannot be reached. Retrying in 5 seconds.',
        'The submodules cannot be checked out: 127.0.0.1 cannot be reached. Restart the job when it is ' +
          'reachable again.',
      ])
    })
    away.close()
    // In each try git itself asks twice.
    expect(asked).toBe(6)
  })

  test('that their host refuses are reported with the name of the host', async () => {
    const sha = await outerWith('gone', `${open.url}/nothing.git`)
    const gone = { url: `${open.url}/gone.git`, token: null }
    await clone({ source: gone, commit: { sha } }, async ({ code, text }) => {
      expect(code).toBe(2)
      expect(text).toContain(
        'The submodules cannot be checked out. 127.0.0.1 does not give one of them: look at its address in .gitmodules',
      )
    })
  })

  test.each([
    ['a folder', { input: 'thief.git' }],
    ['HTTP', { url: `${open.url}/thief.git`, token: null }],
  ])('cannot be folders of this machine in a clone from %s', async (_, source) => {
    const sha = await outerWith('thief', `file://${hello.folder}`)
    await clone({ source, commit: { sha } }, async ({ code, text }) => {
      expect(code).toBe(2)
      expect(text).toContain("transport 'file' not allowed")
    })
  })
})
