import type { NewApp } from '../../domain/registered-app.ts'
import { completeBody, failureOf } from './failure.ts'
import { AppOctokit, type ResponseData } from './octokit.ts'

type Conversion = ResponseData<'apps', 'createFromManifest'>
type Log = Record<'debug' | 'info' | 'warn' | 'error', (text: string) => void>

const route = 'POST /app-manifests/{code}/conversions'

/** The app that was registered from a manifest. The code is good for one time, within an hour. */
export async function convertManifest(
  code: string,
  { apiUrl, log, now }: { apiUrl: string; log: Log; now: () => Date },
): Promise<NewApp> {
  const octokit = new AppOctokit({ baseUrl: apiUrl, authStrategy: undefined, log })
  try {
    const request = { signal: AbortSignal.timeout(15_000) }
    const { data } = await octokit.request(route, { code, request })
    const app = completeBody(data) as Conversion
    return {
      app_id: String(app.id),
      name: app.name,
      html_url: app.html_url,
      private_key: app.pem,
      webhook_secret: app.webhook_secret ?? '',
      client_id: app.client_id,
      client_secret: app.client_secret,
    }
  } catch (error) {
    throw failureOf(route, error, now())
  }
}
