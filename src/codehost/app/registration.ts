import type { App } from './app.ts'
import type { Answer } from './octokit.ts'

type Registered = NonNullable<Answer<'apps', 'getAuthenticated'>>
type Hook = Answer<'apps', 'getWebhookConfigForApp'>
type Delivery = Answer<'apps', 'listWebhookDeliveries'>[number]

/** How the app is registered at the code host. */
export interface Registration {
  name: string
  html_url: string
  permissions: Record<string, string>
  events: string[]
  /** Where its webhooks go; null when nowhere. */
  webhook_url: string | null
}

/** The code host's own note of a webhook that it sent. */
export interface SentWebhook {
  event: string
  delivered_at: Date
  /** What was answered; 0 or 5xx when nobody answered. */
  status_code: number
  status: string
}

/** What the app must be allowed to do, as `app.yml` asks for it. */
export const neededPermissions: Readonly<Record<string, 'read' | 'write'>> = {
  contents: 'read',
  metadata: 'read',
  pull_requests: 'read',
  statuses: 'write',
  checks: 'write',
  members: 'read',
}

export async function readRegistration({ ask }: App): Promise<Registration> {
  const { name, html_url, permissions, events } = await ask<Registered>('app', 'GET /app')
  const hook = await ask<Hook>('app', 'GET /app/hook/config')
  return {
    name,
    html_url,
    events,
    webhook_url: hook.url ?? null,
    permissions: permissions as Record<string, string>,
  }
}

/** The newest webhook that the code host sent to the app. */
export async function lastWebhook({ ask }: App): Promise<SentWebhook | undefined> {
  const route = 'GET /app/hook/deliveries'
  const [last] = await ask<Delivery[]>('app', route, { per_page: 1 })
  if (!last) return undefined
  const { event, delivered_at, status_code, status } = last
  return { event, delivered_at: new Date(delivered_at), status_code, status }
}

/** The needed permissions that lack among these, as `statuses: write`. */
export function lackingPermissions(granted: Readonly<Record<string, string>>): string[] {
  return Object.entries(neededPermissions)
    .filter(([name, level]) => granted[name] !== level && granted[name] !== 'write')
    .map(([name, level]) => `${name}: ${level}`)
}
