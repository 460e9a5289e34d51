import type { App } from './app.ts'
import type { ResponseData } from './octokit.ts'

type Registered = NonNullable<ResponseData<'apps', 'getAuthenticated'>>
type Hook = ResponseData<'apps', 'getWebhookConfigForApp'>
type Delivery = ResponseData<'apps', 'listWebhookDeliveries'>[number]

/** The app's registration at the code host. */
export interface Registration {
  name: string
  html_url: string
  permissions: Record<string, string>
  events: string[]
  /** Where its webhooks are sent; null if not set. */
  webhook_url: string | null
}

/** The code host's own record of a webhook that it sent. */
export interface SentWebhook {
  event: string
  delivered_at: Date
  /** The status of the response; 0 or 5xx if there was none. */
  status_code: number
  status: string
}

/** Permissions that the app needs, as requested in `app.yml`. */
export const neededPermissions: Readonly<Record<string, 'read' | 'write'>> = {
  contents: 'read',
  metadata: 'read',
  pull_requests: 'read',
  merge_queues: 'read',
  statuses: 'write',
  checks: 'write',
  members: 'read',
  emails: 'read',
}

/** Permissions that are useful, but whose absence breaks nothing. */
export const helpfulPermissions: readonly string[] = ['members', 'emails']

/** Permissions that each user grants when logging in; they are not requested from installations. */
const permissionsOfUsers: readonly string[] = ['emails']

export async function readRegistration({ call }: App): Promise<Registration> {
  const { name, html_url, permissions, events } = await call<Registered>('app', 'GET /app')
  const hook = await call<Hook>('app', 'GET /app/hook/config')
  return {
    name,
    html_url,
    events,
    webhook_url: hook.url ?? null,
    permissions: permissions as Record<string, string>,
  }
}

/** The newest webhook that the code host sent to the app. */
export async function lastWebhook({ call }: App): Promise<SentWebhook | undefined> {
  const route = 'GET /app/hook/deliveries'
  const [last] = await call<Delivery[]>('app', route, { per_page: 1 })
  if (!last) return undefined
  const { event, delivered_at, status_code, status } = last
  return { event, delivered_at: new Date(delivered_at), status_code, status }
}

/** The needed permissions that were not granted, such as `statuses: write`. */
export function missingPermissions(granted: Readonly<Record<string, string>>): string[] {
  return Object.entries(neededPermissions)
    .filter(([name, level]) => granted[name] !== level && granted[name] !== 'write')
    .map(([name, level]) => `${name}: ${level}`)
}

/** The needed permissions that an installation has not granted, without the permissions of users. */
export function ungrantedPermissions(granted: Readonly<Record<string, string>>): string[] {
  const ofUsers = permissionsOfUsers.map((name) => [name, neededPermissions[name] ?? 'read'])
  return missingPermissions({ ...granted, ...Object.fromEntries(ofUsers) })
}
