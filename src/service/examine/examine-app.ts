import type { Logger } from 'pino'
import type { AppCodehost } from '../../codehost/app/app-codehost.ts'
import {
  helpfulPermissions,
  missingPermissions,
  lastWebhook,
  readRegistration,
  type Registration,
  type SentWebhook,
  ungrantedPermissions,
} from '../../codehost/app/registration.ts'
import { CodehostError } from '../../codehost/codehost.ts'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { eventsOfPeople, subscribedEvents } from '../../domain/event.ts'
import type { InstallationFacts } from '../../domain/installation.ts'
import { openApp } from '../open/open-app.ts'
import type { Examined } from './examined.ts'

/** Checks the app at its code host: key, permissions, events, installations, webhooks. */
export async function* examineApp(config: Config, log: Logger): AsyncGenerator<Examined> {
  const subject = 'app'
  if (config.appId === undefined) {
    yield { subject, verdict: 'ok', found: 'none is set up: only repositories of this machine' }
    return
  }
  try {
    const { codehost } = await openApp(config, log)
    if (codehost) yield* examineCodehost(config, codehost)
  } catch (error) {
    yield { subject, verdict: 'failure', ...connectionFailure(config, error) }
  }
}

function connectionFailure({ gheHost = 'github.com' }: Config, error: unknown) {
  if (error instanceof SetupError) return { found: error.message }
  if (!(error instanceof CodehostError)) throw error
  const remedy = `make sure that this machine reaches ${gheHost}: GHE_HOST, network, proxy, certificate`
  const isAway = error.kind === 'away' && !error.message.includes('APP_ID')
  return { found: error.message, ...(isAway ? { remedy } : {}) }
}

async function* examineCodehost(config: Config, codehost: AppCodehost): AsyncGenerator<Examined> {
  const registration = await readRegistration(codehost)
  const { name, html_url } = registration
  const found = `${name} (${config.appId}) is known at ${html_url}`
  yield { subject: 'app', verdict: 'ok', found }
  yield examinePermissions(registration)
  yield examineEvents(registration)
  const installations = await codehost.installations.all()
  yield* examineInstallations(installations, registration)
  yield* examineOwners(config, installations)
  yield examineAddress(config, registration)
  yield examineLogins(config, registration)
  yield examineDelivery(await lastWebhook(codehost))
}

/** The callback URL of the app cannot be read from the code host. */
function examineLogins(
  { clientId, clientSecret, publicUrl = '<PUBLIC_URL>' }: Config,
  { html_url }: Registration,
): Examined {
  const callback = `${publicUrl.replace(/\/+$/, '')}/auth/handshake`
  if (clientId !== undefined && clientSecret !== undefined) {
    return { subject: 'logins', verdict: 'ok', found: `logins return to ${callback}` }
  }
  return {
    subject: 'logins',
    verdict: 'warning',
    found: 'no one can log in: GITHUB_CLIENT_ID or GITHUB_CLIENT_SECRET is missing',
    remedy: `set both as ${html_url} has them, and its callback URL to ${callback}`,
  }
}

const permissionSettings = 'in the settings of the app, under “Permissions & events”'

/** What an app that was registered for an earlier version lacks. */
const lessWithout =
  'permissions are updated from the code host only once a day, and mail addresses never'

function examinePermissions({ permissions }: Registration): Examined {
  const subject = 'permissions'
  const lacking = missingPermissions(permissions)
  if (lacking.length === 0)
    return { subject, verdict: 'ok', found: 'the app requests all required permissions' }
  const isHelpful = lacking.every((each) => helpfulPermissions.includes(each.split(':')[0] ?? ''))
  const found = `the app lacks ${lacking.join(', ')}`
  const remedy = `add them ${permissionSettings}`
  if (!isHelpful) return { subject, verdict: 'failure', found, remedy }
  const without = `${found}: ${lessWithout}`
  return { subject, verdict: 'warning', found: without, remedy }
}

function examineEvents({ events }: Registration): Examined {
  const subject = 'events'
  const lacking = subscribedEvents.filter((event) => !events.includes(event))
  if (lacking.length === 0)
    return { subject, verdict: 'ok', found: 'the app receives all required events' }
  const found = `the app does not receive ${lacking.join(', ')}`
  const remedy = `subscribe to them ${permissionSettings}`
  if (!lacking.every((each) => eventsOfPeople.includes(each))) {
    return { subject, verdict: 'failure', found, remedy }
  }
  return { subject, verdict: 'warning', found: `${found}: ${lessWithout}`, remedy }
}

function* examineInstallations(
  all: readonly InstallationFacts[],
  { html_url }: Registration,
): Generator<Examined> {
  const subject = 'installed'
  if (all.length === 0) {
    const remedy = `install it on the repositories to build: ${html_url}/installations/new`
    yield { subject, verdict: 'warning', found: 'the app is installed nowhere', remedy }
    return
  }
  for (const { account, repository_selection, ...installation } of all) {
    const what = repository_selection === 'all' ? 'all repositories' : 'some repositories'
    const found = `at ${account.login}, on ${what}`
    const problem = problemOf(installation)
    if (problem === undefined) yield { subject, verdict: 'ok', found }
    else yield { subject, verdict: 'warning', found: `${found}: ${problem.found}`, ...problem.hint }
  }
}

/** Without owners in the settings, the code of all accounts with the app runs here. */
function* examineOwners(
  { owners }: Config,
  all: readonly InstallationFacts[],
): Generator<Examined> {
  if (all.length < 2 || owners.length > 0) return
  const accounts = all.map(({ account }) => account.login).join(', ')
  yield {
    subject: 'owners',
    verdict: 'warning',
    found: `the app is installed on several accounts (${accounts}), and their pushes are built here`,
    remedy: 'set OWNERS to the accounts that may use this machine',
  }
}

function problemOf({
  suspended,
  permissions,
}: Pick<InstallationFacts, 'suspended' | 'permissions'>) {
  if (suspended) {
    return { found: 'it is suspended', hint: { remedy: 'unsuspend it in its settings there' } }
  }
  const lacking = ungrantedPermissions(permissions)
  if (lacking.length === 0) return undefined
  const remedy = 'accept the new permissions in its settings there'
  return { found: `it was not granted ${lacking.join(', ')}`, hint: { remedy } }
}

/** Checks the address to which webhooks are sent and links on commits lead. */
function examineAddress(
  { publicUrl, webhookProxyUrl }: Config,
  { webhook_url }: Registration,
): Examined {
  const subject = 'address'
  if (publicUrl === undefined) {
    const found = 'PUBLIC_URL is not set, so posted links work on this machine only'
    const remedy = 'set it to the address at which users and the code host reach the service'
    return { subject, verdict: 'warning', found, remedy }
  }
  const wanted = webhookProxyUrl ?? `${publicUrl.replace(/\/+$/, '')}/webhooks/codehost`
  const remedy = `set it to ${wanted}, in the settings of the app, under “Webhook”`
  if (webhook_url === null) {
    return { subject, verdict: 'failure', found: 'the app has no webhook address', remedy }
  }
  const found = `webhooks go to ${webhook_url}`
  if (webhook_url === webhookProxyUrl) {
    return { subject, verdict: 'ok', found: `${found}, from which they are fetched` }
  }
  return webhook_url === wanted
    ? { subject, verdict: 'ok', found }
    : { subject, verdict: 'warning', found, remedy: `unless that forwards them, ${remedy}` }
}

/** Checks whether webhooks arrive, by the code host's record of the last delivery. */
function examineDelivery(last: SentWebhook | undefined): Examined {
  const subject = 'deliveries'
  if (!last) {
    const remedy = 'push to a repository that the app is installed on, and look again'
    return { subject, verdict: 'warning', found: 'no webhook was sent to the app so far', remedy }
  }
  const { event, delivered_at, status_code, status } = last
  const found = `the last, ${event} at ${delivered_at.toISOString()}, got the response ${status_code} (${status})`
  if (status_code >= 200 && status_code < 300) return { subject, verdict: 'ok', found }
  return { subject, verdict: 'failure', found, remedy: remedyFor(status_code) }
}

function remedyFor(status: number): string {
  if (status === 401) return 'set WEBHOOK_SECRET to the secret of the app’s webhook'
  if (status === 404) return 'the webhook address must end in /webhooks/codehost'
  return 'make sure that the code host reaches the webhook address: firewall, proxy, certificate'
}
