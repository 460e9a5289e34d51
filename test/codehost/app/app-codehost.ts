import { Probot } from 'probot'
import { type AppCodehost, createAppCodehost } from '../../../src/codehost/app/app-codehost.ts'
import { AppOctokit } from '../../../src/codehost/app/octokit.ts'
import type { FakeCodehost } from '../../support/codehost/codehost.ts'
import { testLog } from '../../support/context.ts'

/** The implementation `app`, registered at the test's own code host. */
export function appCodehost(
  { app, apiUrl, url }: Pick<FakeCodehost, 'app' | 'apiUrl' | 'url'>,
  now?: () => Date,
): AppCodehost {
  const probot = new Probot({
    appId: app.id,
    privateKey: app.privateKey,
    secret: app.webhookSecret,
    baseUrl: apiUrl,
    Octokit: AppOctokit,
    log: testLog,
  })
  return createAppCodehost({
    apiUrl,
    webUrl: url,
    log: testLog,
    client: { id: app.clientId, secret: app.clientSecret },
    octokit: () => probot.auth(),
    ...(now ? { now } : {}),
  })
}
