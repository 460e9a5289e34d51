import { Probot, type ProbotOctokit } from 'probot'
import { afterAll, describe, expect, test } from 'vitest'
import { startCodehost } from '../support/codehost/codehost.ts'
import type { Repository } from '../support/codehost/tables.ts'
import { testLog } from '../support/context.ts'

const host = await startCodehost()
afterAll(() => host.stop())

const { id: appId, privateKey, webhookSecret: secret } = host.app
const probot = new Probot({ appId, privateKey, secret, baseUrl: host.apiUrl, log: testLog })

/** Octokit as handlers of the app get it. */
function installed(repository: Repository): Promise<ProbotOctokit> {
  return probot.auth(host.refTo(repository).installation ?? 0)
}

describe('an app', () => {
  test('proves itself with its key, and is told what it is', async () => {
    const octokit = await probot.auth()
    const { data } = await octokit.rest.apps.getAuthenticated()
    expect(data).toMatchObject({
      id: appId,
      slug: 'build-service',
      permissions: host.app.permissions,
    })
  })

  test('reads a private repository where it is installed', async () => {
    const repository = await host.addRepository({ private: true, files: { file: 'Hello' } })
    const octokit = await installed(repository)
    const { data } = await octokit.rest.repos.getContent({
      ...{ owner: 'octavia', repo: 'hello', path: 'file' },
    })
    expect(data).toMatchObject({ type: 'file', encoding: 'base64', content: 'SGVsbG8=\n' })
  })
})
