import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { neededPermissions } from '../../src/codehost/app/registration.ts'
import { readConfig } from '../../src/config/config.ts'
import { examineApp } from '../../src/service/examine/examine-app.ts'
import type { Examined } from '../../src/service/examine/examined.ts'
import { appSettings } from '../support/app-story.ts'
import { type FakeCodehost, startCodehost } from '../support/codehost/codehost.ts'
import { testLog } from '../support/context.ts'
import { closedPort } from '../support/ports.ts'

const publicUrl = 'https://ci.example.org/builds'
const webhookUrl = `${publicUrl}/webhooks/codehost`

let host: FakeCodehost

beforeEach(async () => {
  host = await startCodehost({ webhookUrl })
})

// The examined deliveries have no content.
afterEach(() => host.stop({ beyondDescription: true }))

async function examined(settings: Record<string, string> = {}): Promise<Examined[]> {
  const env = { DATA_DIR: '/nowhere', PUBLIC_URL: publicUrl, ...appSettings(host), ...settings }
  const all: Examined[] = []
  for await (const each of examineApp(readConfig(env), testLog)) all.push(each)
  return all
}

/** The result for one subject; the first of several. */
async function told(subject: string, settings?: Record<string, string>) {
  const found = (await examined(settings)).find((each) => each.subject === subject)
  if (!found) throw new Error(`no result for ${subject}`)
  return found
}

/** Records that a webhook was sent, and the response. */
function sent(status_code: number, status: string): void {
  host.deliveries.push({
    id: 1,
    guid: 'guid',
    delivered_at: new Date('2026-01-02T12:00:00Z'),
    redelivery: false,
    status_code,
    status,
    event: 'push',
    action: null,
    url: webhookUrl,
    installation_id: null,
    repository_id: null,
    request: { headers: {}, payload: {} },
    response: { headers: {}, payload: null },
  })
}

test('the manifest requests the permissions that are needed', () => {
  const text = readFileSync(new URL('../../app.yml', import.meta.url), 'utf8')
  const { default_permissions } = parse(text) as { default_permissions: object }
  expect(default_permissions).toEqual(neededPermissions)
})

test('an app in order passes all checks', async () => {
  await host.install('octavia')
  host.deliveries.length = 0
  sent(204, 'OK')
  expect(await examined()).toEqual([
    {
      subject: 'app',
      verdict: 'ok',
      found: `build-service (${host.app.id}) is known at ${host.url}/apps/build-service`,
    },
    { subject: 'permissions', verdict: 'ok', found: 'the app requests all required permissions' },
    { subject: 'events', verdict: 'ok', found: 'the app receives all required events' },
    { subject: 'installed', verdict: 'ok', found: 'at octavia, on all repositories' },
    { subject: 'address', verdict: 'ok', found: `webhooks go to ${webhookUrl}` },
    { subject: 'logins', verdict: 'ok', found: `logins return to ${publicUrl}/auth/handshake` },
    {
      subject: 'deliveries',
      verdict: 'ok',
      found: 'the last, push at 2026-01-02T12:00:00.000Z, got the response 204 (OK)',
    },
  ])
})

test('a missing app is not a failure', async () => {
  const all: Examined[] = []
  const config = readConfig({ DATA_DIR: '/nowhere' })
  for await (const each of examineApp(config, testLog)) all.push(each)
  expect(all).toEqual([
    { subject: 'app', verdict: 'ok', found: 'none is set up: only repositories of this machine' },
  ])
})

test('an invalid private key is reported before any call', async () => {
  expect(await examined({ PRIVATE_KEY: 'rubbish' })).toEqual([
    {
      subject: 'app',
      verdict: 'failure',
      found:
        'the private key of the app cannot be used (PRIVATE_KEY): give the .pem file that the code ' +
        'host made for the app, whole, from "-----BEGIN" to "-----END"',
    },
  ])
  expect(host.calls).toEqual([])
})

test('the private key of another app is reported, with the settings to check', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  // The form that some platforms require.
  const PRIVATE_KEY = Buffer.from(privateKey).toString('base64')
  expect(await examined({ PRIVATE_KEY })).toEqual([
    {
      subject: 'app',
      verdict: 'failure',
      found:
        'the code host rejected the key of the app: check APP_ID and PRIVATE_KEY ' +
        '(or PRIVATE_KEY_PATH) (GET /app)',
    },
  ])
})

test('a code host that cannot be reached is reported, with the settings to check', async () => {
  const GHE_HOST = `127.0.0.1:${closedPort}`
  expect(await examined({ GHE_HOST })).toEqual([
    {
      subject: 'app',
      verdict: 'failure',
      found: expect.stringMatching(/^the code host cannot be reached: .*\(GET \/app\)$/),
      remedy: `make sure that this machine reaches ${GHE_HOST}: GHE_HOST, network, proxy, certificate`,
    },
  ])
})

test('missing permissions and events are named', async () => {
  Object.assign(host.app, {
    permissions: { metadata: 'read', contents: 'write', statuses: 'read', checks: 'write' },
    events: ['push', 'pull_request'],
  })
  const place = 'in the settings of the app, under “Permissions & events”'
  expect(await told('permissions')).toEqual({
    subject: 'permissions',
    verdict: 'failure',
    found:
      'the app lacks pull_requests: read, merge_queues: read, statuses: write, members: read, emails: read',
    remedy: `add them ${place}`,
  })
  expect(await told('events')).toEqual({
    subject: 'events',
    verdict: 'failure',
    found:
      'the app does not receive merge_group, create, delete, repository, member, membership, ' +
      'organization, team',
    remedy: `subscribe to them ${place}`,
  })
})

test('the missing parts of an app registered for an earlier version are named', async () => {
  const { emails: _emails, ...permissions } = neededPermissions
  Object.assign(host.app, {
    permissions,
    events: ['push', 'pull_request', 'merge_group', 'create', 'delete', 'repository'],
  })
  const less =
    'permissions are updated from the code host only once a day, and mail addresses never'
  expect(await told('permissions')).toMatchObject({
    verdict: 'warning',
    found: `the app lacks emails: read: ${less}`,
  })
  expect(await told('events')).toMatchObject({
    verdict: 'warning',
    found: `the app does not receive member, membership, organization, team: ${less}`,
  })
})

test('an installation does not need the permissions that each user grants', async () => {
  const { emails: _emails, ...permissions } = neededPermissions
  const installation = await host.install('octavia')
  Object.assign(installation, { permissions })
  expect(await told('installed')).toMatchObject({ verdict: 'ok' })
})

test('an app without logins names the missing settings', async () => {
  expect(await told('logins', { GITHUB_CLIENT_SECRET: '' })).toEqual({
    subject: 'logins',
    verdict: 'warning',
    found: 'no one can log in: GITHUB_CLIENT_ID or GITHUB_CLIENT_SECRET is missing',
    remedy:
      `set both as ${host.url}/apps/build-service has them, ` +
      `and its callback URL to ${publicUrl}/auth/handshake`,
  })
})

test('an app without installations is reported with the address to install it at', async () => {
  expect(await told('installed')).toEqual({
    subject: 'installed',
    verdict: 'warning',
    found: 'the app is installed nowhere',
    remedy: `install it on the repositories to build: ${host.url}/apps/build-service/installations/new`,
  })
})

test('an installation that is suspended, or lacks a requested permission, is named', async () => {
  const one = await host.install('octavia')
  await host.suspend(one)
  expect(await told('installed')).toEqual({
    subject: 'installed',
    verdict: 'warning',
    found: 'at octavia, on all repositories: it is suspended',
    remedy: 'unsuspend it in its settings there',
  })
  await host.suspend(one, false)
  one.permissions = { ...one.permissions, checks: 'read' }
  expect(await told('installed')).toEqual({
    subject: 'installed',
    verdict: 'warning',
    found: 'at octavia, on all repositories: it was not granted checks: write',
    remedy: 'accept the new permissions in its settings there',
  })
})

test.each([
  ['http://elsewhere.example.org/hooks', 'warning', /^webhooks go to http:\/\/elsewhere/],
  ['https://ci.example.org/webhooks/codehost', 'warning', /^webhooks go to https:\/\/ci/],
  [`https://ci.example.org.evil.example/webhooks/codehost`, 'warning', /evil/],
  [undefined, 'failure', /^the app has no webhook address$/],
] as const)('a webhook address that is %s is a %s', async (url, verdict, found) => {
  host.setWebhookUrl(url)
  expect(await told('address')).toMatchObject({
    verdict,
    found: expect.stringMatching(found),
    remedy: expect.stringContaining(`set it to ${webhookUrl}, in the settings of the app`),
  })
})

test('a webhook address at the relay is fine if the service fetches from that relay', async () => {
  const WEBHOOK_PROXY_URL = 'https://smee.example.org/channel'
  host.setWebhookUrl(WEBHOOK_PROXY_URL)
  expect(await told('address', { WEBHOOK_PROXY_URL })).toEqual({
    subject: 'address',
    verdict: 'ok',
    found: `webhooks go to ${WEBHOOK_PROXY_URL}, from which they are fetched`,
  })
  host.setWebhookUrl(webhookUrl)
  expect(await told('address', { WEBHOOK_PROXY_URL })).toMatchObject({
    verdict: 'warning',
    remedy: expect.stringContaining(`set it to ${WEBHOOK_PROXY_URL}`),
  })
})

test('an app on several accounts needs OWNERS, because all of them run code here', async () => {
  await host.install('octavia')
  await host.install('stranger')
  expect(await told('owners')).toMatchObject({
    verdict: 'warning',
    found: expect.stringContaining('several accounts (octavia, stranger)'),
    remedy: expect.stringContaining('OWNERS'),
  })
  const all = await examined({ OWNERS: 'codehost:octavia' })
  expect(all.map(({ subject }) => subject)).not.toContain('owners')
})

test('without PUBLIC_URL links lead to this machine only', async () => {
  expect(await told('address', { PUBLIC_URL: '' })).toMatchObject({
    verdict: 'warning',
    found: 'PUBLIC_URL is not set, so posted links work on this machine only',
  })
})

test.each([
  [401, 'set WEBHOOK_SECRET to the secret of the app’s webhook'],
  [404, 'the webhook address must end in /webhooks/codehost'],
  [502, 'make sure that the code host reaches the webhook address: firewall, proxy, certificate'],
])('a webhook with the response %i is reported with the next step', async (status, remedy) => {
  sent(status, 'Not so')
  expect(await told('deliveries')).toEqual({
    subject: 'deliveries',
    verdict: 'failure',
    remedy,
    found: `the last, push at 2026-01-02T12:00:00.000Z, got the response ${status} (Not so)`,
  })
})

test('an app that has received no webhook yet is a warning', async () => {
  expect(await told('deliveries')).toMatchObject({
    verdict: 'warning',
    found: 'no webhook was sent to the app so far',
  })
})
