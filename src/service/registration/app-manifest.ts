import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { AppManifest } from '../../domain/registered-app.ts'

type Written = Pick<
  AppManifest,
  'name' | 'description' | 'public' | 'default_permissions' | 'default_events'
>

/** What `app.yml` asks for, for a service at this address. */
export function appManifest({ url, webhookUrl }: { url: string; webhookUrl: string }): AppManifest {
  const text = readFileSync(new URL('../../../app.yml', import.meta.url), 'utf8')
  const written = parse(text) as Written
  const { name, description, default_permissions, default_events } = written
  return {
    name,
    description,
    url,
    public: written.public,
    hook_attributes: { url: webhookUrl, active: true },
    redirect_url: `${url}/setup/callback`,
    callback_urls: [`${url}/auth/handshake`],
    default_permissions,
    default_events,
  }
}
