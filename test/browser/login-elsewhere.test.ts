import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpsServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { createServer } from '../../src/http/server.ts'
import { siteOf } from '../../src/service/site.ts'
import { appCodehost } from '../codehost/app/app-codehost.ts'
import { chromium, openBrowser } from '../support/browser.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { needs } from '../support/needs.ts'
import { openssl } from '../support/openssl.ts'
import { freePort } from '../support/ports.ts'

// The service is below a path, and hands tokens over to a site with another name, under TLS.

const db = await testDatabase()
const host = await startCodehost()
await host.addRepository({ name: 'hello' })
const name = 'app.example.org'

const tools = { tests: chromium.tests, missing: chromium.missing ?? openssl.missing }

/** A key and a self-signed certificate. */
function selfSigned() {
  const folder = mkdtempSync(path.join(tmpdir(), 'build-service-tls-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map((file) => path.join(folder, file))
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', String(key), '-out', String(cert)]
  const of = ['-subj', `/CN=${name}`, '-days', '1']
  execFileSync('openssl', ['req', '-x509', ...made, ...of], { stdio: 'ignore' })
  const pair = { key: readFileSync(String(key)), cert: readFileSync(String(cert)) }
  rmSync(folder, { recursive: true })
  return pair
}

describe('in a browser', needs(tools), () => {
  const posted: { url: string; body: string }[] = []
  let server: Awaited<ReturnType<typeof createServer>>
  let client: Server
  let browser: Browser
  let page: Page
  let own = ''
  let elsewhere = ''

  beforeAll(async () => {
    client = createHttpsServer(selfSigned(), (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        if (request.method === 'POST')
          posted.push({ url: request.url ?? '', body: Buffer.concat(chunks).toString() })
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Client</title>')
      })
    })
    await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve))
    elsewhere = `https://${name}:${(client.address() as AddressInfo).port}`
    const port = await freePort()
    own = `http://127.0.0.1:${port}/ci`
    const config = readConfig({
      ...{ DATA_DIR: '/nowhere', PUBLIC_URL: own, GHE_HOST: new URL(host.url).host },
      ...{ GHE_PROTOCOL: 'http', ALLOWED_ORIGINS: elsewhere },
    })
    const ctx = testContext(db, { codehost: appCodehost(host) })
    server = await createServer({ ...ctx, site: siteOf(config, port) })
    await server.listen({ port, host: '127.0.0.1' })
    host.setCallbackUrls([`${own}/auth/handshake`])
    browser = await openBrowser([name])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
    client.close()
    await host.stop()
  })
  beforeEach(async () => {
    posted.length = 0
    host.signIn('octavia')
    page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage()
  })

  const begin = (target: string) =>
    page.goto(`${own}/auth/handshake?redirect_uri=${encodeURIComponent(target)}`)

  test('a user logs in below the path of the service, and stays there', async () => {
    await page.goto(`${own}/login`)
    await page.click('text=Log in with 127.0.0.1')
    const agreed = page.locator('button:has-text("Authorize")')
    if ((await agreed.count()) > 0) await agreed.click()
    await page.waitForURL(`${own}/`)
    expect(await page.textContent('header')).toContain('octavia')
    const cookies = () => page.context().cookies()
    expect(await cookies()).toMatchObject([
      { name: 'service.session', path: '/ci/', httpOnly: true },
    ])
    await page.click('header .viewer')
    await page.waitForURL(`${own}/profile`)
    await page.click('button:text-is("Log out")')
    await page.waitForURL(`${own}/`)
    expect(await cookies()).toEqual([])
  })

  test('a site in ALLOWED_ORIGINS with another host name receives a token by POST', async () => {
    await begin(`${elsewhere}/after?a=1`)
    const agreed = page.locator('button:has-text("Authorize")')
    if ((await agreed.count()) > 0) await agreed.click()
    await page.waitForURL(`${elsewhere}/after?a=1`)
    expect(posted).toEqual([
      {
        url: '/after?a=1',
        body: expect.stringMatching(/(?:^|&)token=bsvc_\w{32}(?:&|$)/) as string,
      },
    ])
    const token = new URLSearchParams(posted[0]?.body).get('token')
    const answer = await fetch(`${own}/users`, { headers: { authorization: `token ${token}` } })
    expect(await answer.json()).toMatchObject({ user: { login: 'octavia' } })
  })

  test('an unlisted site receives no token, whatever its port or protocol', async () => {
    for (const target of [`https://${name}/after`, elsewhere.replace('https:', 'http:')]) {
      const answer = await begin(target)
      expect([answer?.status(), await page.textContent('h1')]).toEqual([
        401,
        'target URI not allowed',
      ])
    }
    expect(posted).toEqual([])
  })
})
