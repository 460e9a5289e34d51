import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Config, readConfig } from '../../src/config/config.ts'
import { registerApp } from '../../src/flow/secrets/service-keys.ts'
import { createServer } from '../../src/http/server.ts'
import { examine } from '../../src/service/examine/examine.ts'
import { warnIfJobsWait } from '../../src/service/open/open-runner.ts'
import { openRegistration } from '../../src/service/registration/registration.ts'
import { startService } from '../../src/service/start.ts'
import { visitorOf } from '../http/login-scene.ts'
import { tagsIn, textIn } from '../http/pages/reading.ts'
import { eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testContext, testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { urlOf } from '../support/service-process.ts'

test('an app that another process has registered is used without a restart, by commands as well', async () => {
  const { db, connection } = await ownDatabase()
  const host = await startCodehost()
  onTestFinished(() => host.stop())
  const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-registration-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = readConfig({
    ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), MASTER_KEY: 'a'.repeat(64) },
    ...{ ROLE: 'worker', GHE_HOST: new URL(host.url).host, GHE_PROTOCOL: 'http' },
  })
  const service = await startService(config, { log: testLog })
  onTestFinished(() => service.stop())
  await host.addRepository({ owner: 'octavia' })
  const { app } = host
  const registered = {
    ...{ app_id: String(app.id), name: app.name, html_url: `${host.url}/apps/${app.slug}` },
    ...{ private_key: app.privateKey, webhook_secret: app.webhookSecret },
    ...{ client_id: app.clientId, client_secret: app.clientSecret },
  }
  const where = { codehost_url: host.url, address: '127.0.0.1' }
  expect(await registerApp(service.ctx, registered, where)).toBe(true)
  expect(await registerApp(service.ctx, { ...registered, app_id: '8' }, where)).toBe(false)

  // The installations of the app are looked up as soon as it is used.
  await eventually(async () => {
    const known = await db.selectFrom('repositories').select(['owner_name', 'active']).execute()
    expect(known).toEqual([{ owner_name: 'octavia', active: true }])
  })
  await factories(db).repository({ owner_name: 'ada', name: 'left', active: true })
  const found: string[] = []
  const uncovered: string[] = []
  for await (const examined of examine(config, testLog)) {
    if (examined.subject === 'app') found.push(examined.found)
    if (examined.subject === 'covered') uncovered.push(examined.found)
  }
  expect(found).toEqual([`${app.name} (${app.id}) is known at ${host.url}/apps/${app.slug}`])
  expect(uncovered).toEqual(['the app is not installed on ada/left, so pushes there are not built'])
})

test('a warning reports that the jobs of an app wait on a machine without isolation', () => {
  const warned: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) })
  const without = { appId: '7', jobsWithoutIsolation: false }
  warnIfJobsWait({ log }, { ...without, appId: undefined }, { isolation: 'none' })
  warnIfJobsWait({ log }, { ...without, jobsWithoutIsolation: true }, { isolation: 'none' })
  warnIfJobsWait({ log }, without, { isolation: 'tree' })
  expect(warned).toEqual([])
  warnIfJobsWait({ log }, without, { isolation: 'none' })
  expect(warned).toHaveLength(1)
})

describe('through the pages of the first run', () => {
  async function open(given: Record<string, string> = {}) {
    const { db } = await ownDatabase()
    const host = await startCodehost()
    onTestFinished(() => host.stop({ beyondDescription: true }))
    const config = readConfig({
      ...{ DATA_DIR: '/nowhere', PUBLIC_URL: 'https://ci.example.org', ...given },
      ...{ GHE_HOST: new URL(host.url).host, GHE_PROTOCOL: 'http' },
    })
    const ctx = testContext(db)
    const used: Config[] = []
    const parts = { config, ctx, codehosts: ctx.codehosts, log: testLog }
    const { registration, onUse, close } = openRegistration(parts)
    onUse((settings) => void used.push(settings))
    onTestFinished(close)
    const browser = visitorOf(await createServer({ ...ctx, registration }))
    const asked = await browser.post('/setup/app', { code: registration.code })
    const tags = tagsIn(asked.body)
    const action = tags.find(({ name }) => name === 'form')?.attributes.action ?? ''
    const field = tags.find(({ attributes }) => attributes.name === 'manifest')
    const manifest = field?.attributes.value ?? ''
    const state = new URL(action).searchParams.get('state') ?? ''

    /** Registers the app at the code host, and returns with its code. */
    async function register() {
      const made = await fetch(`${host.url}/settings/apps/manifest`, {
        method: 'POST',
        body: new URLSearchParams({ manifest, state }),
        redirect: 'manual',
      })
      return browser.get(made.headers.get('location') ?? '')
    }
    return { ctx, host, manifest, used, register }
  }

  test('webhooks go to the relay in the settings, and users to the service', async () => {
    const relay = 'https://smee.example.org/channel'
    const { host, manifest, used, register } = await open({ WEBHOOK_PROXY_URL: relay })
    expect(JSON.parse(manifest)).toMatchObject({
      hook_attributes: { url: relay, active: true },
      redirect_url: 'https://ci.example.org/setup/callback',
      callback_urls: ['https://ci.example.org/auth/handshake'],
      public: false,
    })
    const answer = await register()
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/setup'])
    expect(used).toMatchObject([{ appId: String(host.app.id), webhookProxyUrl: relay }])
  })

  test('an app without a webhook secret is refused, with the reason', async () => {
    const { ctx, host, used, register } = await open()
    Object.assign(host.app, { webhookSecret: null })
    const answer = await register()
    expect(answer.statusCode).toBe(400)
    expect(textIn(answer.body)).toContain('has given build-service no webhook secret')
    expect(await ctx.db.selectFrom('registered_apps').selectAll().execute()).toEqual([])
    expect(used).toEqual([])
  })
})
