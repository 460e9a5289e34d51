import type { Config } from '../../config/config.ts'
import type { NewApp } from '../../domain/registered-app.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { findRegisteredApp } from '../../store/installations/registered-app.ts'
import type { Store } from '../open/open-store.ts'
import { codehostSite } from '../site.ts'

/** The app that was registered through this service, at the code host named in the settings. */
export async function registeredApp(
  config: Config,
  { db, sealer }: Pick<Store, 'db' | 'sealer'>,
): Promise<NewApp | undefined> {
  const found = await findRegisteredApp(db, codehostSite(config).web_url)
  if (!found) return undefined
  const { app_id, html_url, sealed_credentials } = found
  const opened = sealer.openText(sealedIn.registeredApp(app_id), sealed_credentials)
  return { app_id, html_url, ...(JSON.parse(opened) as Omit<NewApp, 'app_id' | 'html_url'>) }
}

/** The settings as if they named this app. */
export function withApp(config: Config, app: NewApp): Config {
  return Object.freeze({
    ...config,
    appId: app.app_id,
    privateKey: app.private_key,
    webhookSecret: app.webhook_secret,
    clientId: app.client_id,
    clientSecret: app.client_secret,
  })
}

/** The settings with the app registered through this service, unless they name an app themselves. */
export async function withRegisteredApp(
  config: Config,
  store: Pick<Store, 'db' | 'sealer'>,
): Promise<Config> {
  if (config.appId !== undefined) return config
  const app = await registeredApp(config, store)
  return app ? withApp(config, app) : config
}
