import type { NewApp } from '../../domain/registered-app.ts'
import { CodehostError } from '../codehost.ts'
import { completeBody, failureOf } from './failure.ts'
import { AppOctokit, type ResponseData } from './octokit.ts'

type Conversion = ResponseData<'apps', 'createFromManifest'>
type Log = Record<'debug' | 'info' | 'warn' | 'error', (text: string) => void>

const route = 'POST /app-manifests/{code}/conversions'

/** The app that was registered from a manifest. The code can be used once, within an hour. */
export async function convertManifest(
  code: string,
  { apiUrl, log, now }: { apiUrl: string; log: Log; now: () => Date },
): Promise<NewApp> {
  const octokit = new AppOctokit({ baseUrl: apiUrl, authStrategy: undefined, log })
  try {
    const request = { signal: AbortSignal.timeout(15_000) }
    const { data } = await octokit.request(route, { code, request })
    const app = completeBody(data) as Conversion
    if (app.webhook_secret === null || app.webhook_secret === '') throw withoutSecret(app)
    return {
      app_id: String(app.id),
      name: app.name,
      html_url: app.html_url,
      private_key: app.pem,
      webhook_secret: app.webhook_secret,
      client_id: app.client_id,
      client_secret: app.client_secret,
    }
  } catch (error) {
    throw failureOf(route, error, now())
  }
}

/** Without a webhook secret, anyone could send webhooks. */
function withoutSecret({ name, html_url }: Pick<Conversion, 'name' | 'html_url'>): CodehostError {
  const message =
    `the code host has given ${name} no webhook secret, so it is not used: delete it (${html_url}) and ` +
    'begin again, or set a secret there and name the app in the settings (APP_ID, WEBHOOK_SECRET, …)'
  return new CodehostError(message, { kind: 'invalid' })
}
