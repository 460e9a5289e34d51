import type { Logger } from 'pino'
import { Probot } from 'probot'
import { type AppCodehost, createAppCodehost } from '../../codehost/app/app-codehost.ts'
import { AppOctokit } from '../../codehost/app/octokit.ts'
import type { Config } from '../../config/config.ts'
import { codehostSite } from '../site.ts'
import { readPrivateKey } from './private-key.ts'

export interface OpenApp {
  /** Receives webhooks; without an app, only webhooks of local repositories. */
  probot: Probot
  /** Absent where no app is set up. */
  codehost?: AppCodehost
}

/** The app that the settings name. The code host is not called: it may be unreachable. */
export async function openApp(config: Config, log: Logger): Promise<OpenApp> {
  // Probot would log the whole payload of each failure; this service receives failures anyway.
  const silent = log.child({}, { level: 'silent' })
  // Probot requires a credential, which receiving never uses.
  if (config.appId === undefined) {
    return { probot: new Probot({ githubToken: 'unused', log: silent }) }
  }
  const { api_url: apiUrl, web_url: webUrl } = codehostSite(config)
  const probot = new Probot({
    appId: config.appId,
    privateKey: await readPrivateKey(config),
    secret: config.webhookSecret ?? '',
    baseUrl: apiUrl,
    Octokit: AppOctokit,
    log: silent,
  })
  const octokit = () => probot.auth()
  const { clientId: id, clientSecret: secret } = config
  const client = id !== undefined && secret !== undefined ? { client: { id, secret } } : {}
  const options = { octokit, apiUrl, webUrl, ...client, log: silent }
  return { probot, codehost: createAppCodehost(options) }
}
