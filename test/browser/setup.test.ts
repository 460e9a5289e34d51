import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { eventually } from '../support/app-story.ts'
import { chromium, openBrowser } from '../support/browser.ts'
import { type FakeCodehost, startCodehost } from '../support/codehost/codehost.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { needs } from '../support/needs.ts'
import { freePort } from '../support/ports.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()

/** A proxy in front of the service, which forwards calls below its path unchanged. */
async function openProxy(port: number) {
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const passed = send({ port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { address, close: () => proxy.close() }
}

describe('the first run, in a browser', needs(chromium), () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-setup-'))
  let host: FakeCodehost
  let proxy: Awaited<ReturnType<typeof openProxy>>
  let service: Service
  let browser: Browser
  let page: Page
  let complaints: string[]
  let start: () => Promise<Service>

  beforeAll(async () => {
    host = await startCodehost()
    host.addUser({ login: 'anna' })
    host.signIn('anna')
    const port = await freePort()
    proxy = await openProxy(port)
    const config = readConfig({
      ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: String(port) },
      ...{ ROLE: 'web,worker', PUBLIC_URL: `${proxy.address}/ci`, MASTER_KEY: 'a'.repeat(64) },
      ...{ GHE_HOST: new URL(host.url).host, GHE_PROTOCOL: 'http' },
    })
    start = () => startService(config, { log: testLog })
    service = await start()
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 360, height: 800 } })
    complaints = []
    page.on('console', (message) => {
      // Complaints about the code host's pages are not ours.
      if (message.location().url.startsWith(proxy.address)) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
    proxy.close()
    // The pages of the code host are not part of its description.
    await host.stop({ beyondDescription: true })
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('registers the app at the code host, and continues without a restart', async () => {
    await page.goto(service.url)
    await page.click('text=set up the app')
    await page.fill('text=Setup code', service.setupCode ?? '')
    await page.click('text=Continue')
    await page.click('button:has-text("Register it at")')
    expect(await page.textContent('h1')).toBe('Create GitHub App')

    const arrived = page.waitForRequest((request) => request.url().includes('/setup/callback?'))
    await page.click('button')
    const callback = (await arrived).url()
    await page.waitForURL(`${service.url}/setup`)
    expect(await page.textContent('h1')).toBe('The app is set up')
    expect(await page.getAttribute('main a.main', 'href')).toBe(
      `${host.url}/apps/build-service/installations/new`,
    )

    // A user who goes back, or reloads, sees the same page.
    await page.goto(callback)
    expect(await page.textContent('h1')).toBe('The app is set up')
    expect(host.calls.filter(({ call }) => call.includes('/conversions'))).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('builds the repositories of the installed app from then on', async () => {
    const repository = await host.addRepository({ owner: 'octavia' })
    await eventually(async () => {
      const known = await db.selectFrom('repositories').select('codehost_id').execute()
      expect(known).toEqual([{ codehost_id: repository.id }])
    })
    const sha = await host.commit(repository, { files: { '.service.yml': 'script: make' } })
    await eventually(() =>
      expect(host.statuses(repository, sha)).toMatchObject([
        { target_url: `${service.url}/octavia/hello/builds/1` },
      ]),
    )
  })

  test('keeps the credentials sealed, and uses them after a restart', async () => {
    const stored = await db.selectFrom('registered_apps').selectAll().executeTakeFirstOrThrow()
    const text = JSON.stringify(stored)
    for (const hidden of [host.app.webhookSecret, host.app.clientSecret, 'PRIVATE KEY']) {
      expect(text).not.toContain(hidden)
    }
    expect(await db.selectFrom('audit_records').select(['action', 'actor']).execute()).toEqual([
      { action: 'register', actor: 'operator' },
    ])
    await service.stop()
    service = await start()
    expect(service).toMatchObject({ appId: String(host.app.id), setupCode: undefined })
    await page.goto(`${service.url}/setup`)
    expect(await page.textContent('h1')).toBe('The app is set up')
  })
})
