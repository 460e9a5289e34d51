import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { chromium, complaintsOf, useBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { needs } from '../support/needs.ts'
import { ownPages, pageWorld } from '../support/page-world.ts'

const { db } = await ownDatabase()
const make = factories(db)
// No events are streamed here, so no page tries to follow them.
const { streaming: _streaming, ...ctx } = testContext(db)
Object.assign(ctx.site, { url: 'http://127.0.0.1' })
const server = await createServer(ctx)

const texts = [
  `"><img src=x onerror="window.ran=1"><script>window.ran=1</script>`,
  `'><svg onload="window.ran=1"><style>*{display:none!important}</style>`,
  `</title></textarea></style></script><iframe srcdoc="<script>parent.ran=1</script>">`,
  `\u202E${'W'.repeat(120)}<b style="position:fixed" onfocus=window.ran=1 autofocus tabindex=0>`,
]

describe('texts of strangers', needs(chromium), () => {
  const site = useBrowser(server)
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    const anna = await make.user('anna')
    page = await site.browser.newPage({ viewport: { width: 360, height: 740 } })
    complaints = complaintsOf(page)
    page.on('dialog', (dialog) => complaints.push(dialog.message()))
    await page.goto(`${site.url}/login`)
    await page.fill('input[name="codehost_token"]', anna.token)
    await page.click('main button')
  })

  test.each(texts)('%s is shown as plain text on every page', async (text) => {
    const world = await pageWorld(ctx, make, text)
    const anna = await db.selectFrom('users').selectAll().where('login', '=', 'anna').execute()
    for (const user of anna) await make.permission(user, world.repository, 'admin')
    complaints.length = 0
    for (const address of world.addresses) {
      const response = await page.goto(`${site.url}${address}`)
      if (address.includes('/jobs/')) await page.waitForSelector('#log[data-loaded], .empty')
      const found = await page.evaluate(`({
        ran: window.ran ?? 0,
        foreign: document.querySelectorAll('iframe, style, img, b, [srcdoc], [style]:not(.log *)').length,
        isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        isShown: document.querySelector('h1').offsetHeight > 0,
      })`)
      expect({ address, status: response?.status(), found, complaints }).toEqual({
        ...{ address, status: 200, complaints: [] },
        found: { ran: 0, foreign: 0, isWide: false, isShown: true },
      })
    }
  })

  test('no page can be shown in a frame, or send its forms elsewhere', async () => {
    const world = await pageWorld(ctx, make, 'framed', { owner_name: 'framed', name: 'hello' })
    for (const address of [...ownPages, ...world.addresses]) {
      const response = await page.request.get(`${site.url}${address}`, {
        headers: { accept: 'text/html' },
      })
      const policy = response.headers()['content-security-policy']
      expect([address, policy]).toEqual([
        address,
        expect.stringMatching(/form-action 'self';.*frame-ancestors 'none'/),
      ])
    }
  })
})
