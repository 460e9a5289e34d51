import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { createServer } from '../../src/http/server.ts'
import { siteOf } from '../../src/service/site.ts'
import { appCodehost } from '../codehost/app/app-codehost.ts'
import { chromium, openBrowser } from '../support/browser.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { needs } from '../support/needs.ts'

const db = await testDatabase()
const make = factories(db)
const host = await startCodehost()
await host.addRepository({ name: 'hello' })
const ctx = testContext(db, { codehost: appCodehost(host) })
const server = await createServer(ctx)

/**
 * A program on the same machine, with pages of another origin that request a token. It is the same
 * site, because browsers send no cookies for frames in pages of other sites.
 */
const client = createHttpServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    if (request.method === 'POST') posted.push({ url: request.url ?? '', body })
    response.setHeader('content-type', 'text/html')
    response.end(embedding(request.url === '/embedding'))
  })
})
const posted: { url: string; body: string }[] = []
let own = ''

/** A page that records the messages it receives, and can embed ours. */
const embedding = (frames: boolean) => `<!doctype html><title>Client</title><p id="got"></p><script>
  const got = []
  addEventListener('message', ({ data, origin }) => {
    got.push({ data, origin })
    document.querySelector('#got').textContent = JSON.stringify(got)
  })
</script>${frames ? `<iframe src="${own}/auth/post_message"></iframe>` : ''}`

describe('in a browser', needs(chromium), () => {
  let browser: Browser
  let people: BrowserContext
  let page: Page
  let elsewhere = ''

  beforeAll(async () => {
    browser = await openBrowser()
    await server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.server.address() as AddressInfo
    own = `http://127.0.0.1:${port}`
    await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve))
    elsewhere = `http://127.0.0.1:${(client.address() as AddressInfo).port}`
    const config = readConfig({ DATA_DIR: '/nowhere', GHE_HOST: new URL(host.url).host })
    const site = siteOf(config, port)
    const web_url = host.url
    Object.assign(ctx.site, site, {
      codehost: { ...site.codehost, web_url },
      // As in the demo.
      login: { ...site.login, loopback: true },
    })
    host.setCallbackUrls([`${own}/auth/handshake`])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
    client.close()
    await host.stop()
  })
  beforeEach(async () => {
    host.signIn('octavia')
    posted.length = 0
    people = await browser.newContext()
    page = await people.newPage()
  })

  const agree = () => page.click('button:has-text("Authorize")')
  const target = () => `redirect_uri=${encodeURIComponent(`${elsewhere}/after?a=1`)}`

  /** A user's first login, for which consent is requested. */
  async function consentOnce(login: string) {
    host.addUser({ login })
    await host.addRepository({ owner: login, name: `of-${login}` })
    host.signIn(login)
    await page.goto(`${own}/auth/handshake`)
    await agree()
    await page.waitForURL(`${own}/`)
  }

  test('a user logs in with the code host, sees hidden records, and logs out', async () => {
    const user = await make.owner('octavia')
    const account = host.tables.accounts.find(({ login }) => login === 'octavia')
    await db
      .updateTable('users')
      .set({ codehost_id: account?.id ?? 0 })
      .execute()
    const secret = await make.repository({ name: 'secret', private: true, owner_id: user.id })
    await make.permission(user, secret)

    await page.goto(`${own}/octavia/secret`)
    expect(await page.textContent('h1')).toBe('Not found')
    await page.click('main >> text=Log in')
    await page.click('text=Log in with 127.0.0.1')
    expect(await page.textContent('h1')).toBe('Authorize build-service')
    await agree()
    await page.waitForURL(`${own}/octavia/secret`)
    expect(await page.textContent('header')).toContain('octavia')
    expect(await page.evaluate('document.cookie')).toBe('')

    await page.click('header .viewer')
    await page.click('button:text-is("Log out")')
    await page.waitForURL(`${own}/`)
    expect(await page.textContent('header')).toContain('Log in')
    expect(await page.textContent('main')).not.toContain('octavia/secret')
  })

  test('a page of an allowed origin receives a token by POST, and no address contains it', async () => {
    await consentOnce('ada')
    const addresses: string[] = []
    page.on('framenavigated', (frame) => addresses.push(frame.url()))
    await page.goto(`${own}/auth/handshake?${target()}`)
    await page.waitForURL(`${elsewhere}/after?a=1`)
    const [sent] = posted
    expect(sent?.url).toBe('/after?a=1')
    const fields = Object.fromEntries(new URLSearchParams(sent?.body))
    expect(fields).toEqual({
      token: expect.stringMatching(/^bsvc_\w{32}$/),
      user: expect.stringContaining('"login":"ada"'),
      storage: 'localStorage',
    })
    expect(addresses.join(' ')).not.toContain('bsvc_')
    const answer = await fetch(`${own}/users`, {
      headers: { authorization: `token ${fields.token}` },
    })
    expect(await answer.json()).toMatchObject({ user: { login: 'ada' } })
  })

  test('a page that embeds ours receives a token if no consent is needed', async () => {
    await consentOnce('grace')
    await page.goto(`${elsewhere}/embedding`)
    await page.waitForFunction(`document.querySelector('#got').textContent.includes('bsvc_')`)
    const got = JSON.parse((await page.textContent('#got')) ?? '') as unknown[]
    expect(got).toEqual([
      {
        origin: own,
        data: {
          user: expect.objectContaining({ login: 'grace' }) as unknown,
          token: expect.stringMatching(/^bsvc_\w{32}$/) as unknown,
        },
      },
    ])
  })

  test('a page that embeds ours learns that consent is needed', async () => {
    host.addUser({ login: 'alan' })
    host.signIn('alan')
    await page.goto(`${elsewhere}/embedding`)
    await page.waitForFunction(`document.querySelector('#got').textContent.includes('redirect')`)
    const got = JSON.parse((await page.textContent('#got')) ?? '') as { data: unknown }[]
    expect(got.map(({ data }) => data)).toEqual(['redirect'])
  })

  test("a page that opens ours in a window receives a token after the user's consent", async () => {
    const { login } = host.addUser({ login: 'katherine' })
    await host.addRepository({ owner: login, name: `of-${login}` })
    host.signIn(login)
    await page.goto(`${elsewhere}/opening`)
    const opened = people.waitForEvent('page')
    await page.evaluate(`void window.open('${own}/auth/post_message?origin=${elsewhere}')`)
    const popup = await opened
    const closed = popup.waitForEvent('close')
    await popup.click('button:has-text("Authorize")')
    await closed
    await page.waitForFunction(`document.querySelector('#got').textContent.includes('bsvc_')`)
    const got = JSON.parse((await page.textContent('#got')) ?? '') as unknown[]
    expect(got).toEqual([
      {
        origin: own,
        data: {
          user: expect.objectContaining({ login }) as unknown,
          token: expect.stringMatching(/^bsvc_\w{32}$/) as unknown,
        },
      },
    ])
  })

  test('a page exchanges a code host token for one of ours', async () => {
    await consentOnce('dorothy')
    await page.goto(`${elsewhere}/exchanging`)
    const exchange = (codehost_token: string) =>
      page.evaluate(
        async ([url = '', token = '']) => {
          const body = JSON.stringify({ codehost_token: token })
          const headers = { 'content-type': 'application/json' }
          const answer = await fetch(`${url}/auth/codehost`, { method: 'POST', headers, body })
          return { status: answer.status, text: await answer.text() }
        },
        [own, codehost_token],
      )
    const { status, text } = await exchange(host.userToken('dorothy'))
    expect(status).toBe(200)
    const { access_token } = JSON.parse(text) as { access_token: string }
    const seen = await page.evaluate(
      async ([url = '', token = '']) => {
        const headers = { authorization: `token ${token}` }
        return (await fetch(`${url}/users`, { headers })).json() as unknown
      },
      [own, access_token],
    )
    expect(seen).toMatchObject({ user: { login: 'dorothy' } })
    expect(await exchange('ghu_nothing')).toEqual({ status: 403, text: 'not a service user' })
  })

  test('a user who declines sees that nothing was done', async () => {
    host.addUser({ login: 'edsger' })
    host.signIn('edsger')
    await page.goto(`${own}/auth/handshake?${target()}`)
    await page.click('button:has-text("Cancel")')
    expect(await page.textContent('h1')).toBe('Not logged in')
    expect(posted).toEqual([])
  })

  test('a user creates a token on the profile page, and revokes all tokens', async () => {
    await consentOnce('barbara')
    await page.goto(`${own}/profile`)
    await page.fill('#name', 'laptop')
    await page.click('text=Make the token')
    const token = (await page.textContent('#made-token')) ?? ''
    const status = async () =>
      (await fetch(`${own}/users`, { headers: { authorization: `token ${token}` } })).status
    expect(await status()).toBe(200)
    await page.click('text=Revoke all tokens')
    await page.waitForURL(`${own}/profile`)
    expect(await status()).toBe(403)
    expect(await page.textContent('main')).not.toContain('laptop')
  })
})
