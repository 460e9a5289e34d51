import { Probot, type ProbotOctokit } from 'probot'
import { afterAll } from 'vitest'
import { AppOctokit } from '../../../src/codehost/app/octokit.ts'
import { startCodehost } from '../../support/codehost/codehost.ts'
import type { Repository } from '../../support/codehost/tables.ts'
import { testLog } from '../../support/context.ts'

/** A fake code host for the tests of a file, and Octokit as Probot creates it for the app. */
export async function fakeScene(options: Parameters<typeof startCodehost>[0] = {}) {
  const host = await startCodehost(options)
  // Invalid calls, and calls for other parts of the service, are also tested here.
  afterAll(() => host.stop({ beyondDescription: true }))

  const { id: appId, privateKey, webhookSecret: secret } = host.app
  const given = { appId, privateKey, secret, baseUrl: host.apiUrl, log: testLog }
  const probot = new Probot({ ...given, Octokit: AppOctokit })
  let count = 0

  return {
    host,
    probot,
    /** A client of the app. */
    asApp: (): Promise<ProbotOctokit> => probot.auth(),
    /** A client of the installation that has a repository. */
    asInstallation: (repository: Repository): Promise<ProbotOctokit> =>
      probot.auth(host.refTo(repository).installation ?? 0),
    /** A client with the token; without one, an anonymous client. */
    withToken: (token?: string): ProbotOctokit =>
      new AppOctokit({ baseUrl: host.apiUrl, authStrategy: undefined, auth: token }),
    /** A repository with a unique name. */
    makeRepository: (given: Parameters<typeof host.addRepository>[0] = {}) =>
      host.addRepository({ name: `hello-${(count += 1)}`, ...given }),
  }
}

/** Owner and name, in the form that Octokit expects. */
export function named({ owner, name }: Repository) {
  return { owner: owner.login, repo: name }
}
