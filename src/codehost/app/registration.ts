import type { App } from './app.ts'
import type { ResponseData } from './octokit.ts'

type Registered = NonNullable<ResponseData<'apps', 'getAuthenticated'>>
type Hook = ResponseData<'apps', 'getWebhookConfigForApp'>
type Delivery = ResponseData<'apps', 'listWebhookDeliveries'>[number]

/** How the app is registered at the code host. */
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

/** What the app must be allowed to do, as `app.yml` asks for it. */
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

/** What is worth having, but nothing fails without it. */
export const helpfulPermissions: readonly string[] = ['members', 'emails']

/** Those that each user grants when logging in; no installation is asked for them. */
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

/** The needed permissions that are missing among these, as `statuses: write`. */
export function missingPermissions(granted: Readonly<Record<string, string>>): string[] {
  return Object.entries(neededPermissions)
    .filter(([name, level]) => granted[name] !== level && granted[name] !== 'write')
    .map(([name, level]) => `${name}: ${level}`)
}

/** The same for what an installation was granted. */
export function ungrantedPermissions(granted: Readonly<Record<string, string>>): string[] {
  const ofUsers = permissionsOfUsers.map((name) => [name, neededPermissions[name] ?? 'read'])
  return missingPermissions({ ...granted, ...Object.fromEntries(ofUsers) })
}
