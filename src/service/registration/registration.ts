import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { parse } from 'yaml'
import { convertManifest } from '../../codehost/app/convert-manifest.ts'
import type { Codehosts } from '../../codehost/codehost.ts'
import type { Config } from '../../config/config.ts'
import type { NewApp, AppManifest } from '../../domain/registered-app.ts'
import { syncInstallations } from '../../flow/repositories/sync-installations.ts'
import type { HttpContext, Registration } from '../../http/core/context.ts'
import { openApp } from '../open/open-app.ts'
import { codehostSite, siteOf } from '../site.ts'
import { registeredApp, withApp } from './registered-app.ts'

interface RegistrationParts {
  config: Config
  ctx: HttpContext
  /** The code hosts of the context, to which the app's code host is added. */
  codehosts: Codehosts
  log: Logger
}

export interface OpenRegistration {
  registration: Registration
  /** Calls the listener with the settings of the app, as soon as the app is used. */
  onUse(listener: (settings: Config) => void): void
  close(): void
}

const lookEvery = 15_000

/**
 * Lets users register an app while none is set up. The app is then used without a restart; the other
 * processes of the installation use it as soon as they look for it.
 */
export function openRegistration({
  config,
  ctx,
  codehosts,
  log,
}: RegistrationParts): OpenRegistration {
  const { sealer, db, now, site, intake } = ctx
  let adopted: Promise<void> | undefined
  let used: Config | undefined
  let notify: ((settings: Config) => void) | undefined

  function adopt(app: NewApp): Promise<void> {
    adopted ??= use(app).catch((error: unknown) => {
      adopted = undefined
      throw error
    })
    return adopted
  }

  async function use(app: NewApp): Promise<void> {
    const settings = withApp(config, app)
    const { codehost } = await openApp(settings, log)
    Object.assign(codehosts, { codehost })
    Object.assign(intake.secrets, { codehost: [app.webhook_secret] })
    Object.assign(site, siteOf({ ...settings, publicUrl: site.url }, config.port))
    log.info({ app: app.html_url }, `the app ${app.name} is used from now on`)
    used = settings
    notify?.(settings)
    clearInterval(timer)
    // The app may be installed already; the hourly sync follows in any case.
    await syncInstallations(ctx).catch((error: unknown) => {
      log.warn({ err: error }, 'installations were not looked up')
    })
  }

  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, 'the app was not looked up'))
  }, lookEvery).unref()
  async function look(): Promise<void> {
    const app = await registeredApp(config, { db, sealer })
    if (app) await adopt(app)
  }

  const silent = log.child({}, { level: 'silent' })
  const webhookUrl = () =>
    config.webhookProxyUrl ??
    (config.publicUrl === undefined ? undefined : `${site.url}/webhooks/codehost`)
  const registration: Registration = {
    code: setupCode(ctx),
    manifest() {
      const to = webhookUrl()
      return to === undefined ? undefined : appManifest({ url: site.url, webhookUrl: to })
    },
    convert: (code) =>
      convertManifest(code, { apiUrl: codehostSite(config).api_url, log: silent, now }),
    adopt,
  }
  return {
    registration,
    onUse(listener) {
      notify = listener
      if (used) listener(used)
    },
    close: () => clearInterval(timer),
  }
}

/** Identical in every process of the installation, in groups that can be typed. */
function setupCode({ sealer }: Pick<HttpContext, 'sealer'>): string {
  const digits = sealer.derive('setup code').slice(0, 24)
  return digits.match(/.{4}/g)?.join('-') ?? digits
}

type Written = Pick<
  AppManifest,
  'name' | 'description' | 'public' | 'default_permissions' | 'default_events'
>

/** The manifest from `app.yml`, for a service at this address. */
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
