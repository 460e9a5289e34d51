import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { chromium, useBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { needs } from '../support/needs.ts'
import { ownPages, pageWorld, type PageWorld } from '../support/page-world.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
Object.assign(ctx.site, { url: 'http://127.0.0.1', admins: ['codehost:adele'] })
const server = await createServer(ctx)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Pages that were already checked for another viewer, by their tags and classes. */
const seen = new Set<string>()

describe('every page is accessible at WCAG 2.2 AA', needs(chromium), () => {
  const site = useBrowser(server)
  let world: PageWorld
  const tokens = new Map<string, string>()

  beforeAll(async () => {
    world = await pageWorld(ctx, make, 'a long name', { owner_name: 'octavia', name: 'hello' })
    for (const [login, role] of [
      ['rita', 'pull'],
      ['paul', 'push'],
      ['anna', 'admin'],
      ['adele', 'admin'],
    ] as const) {
      const user = await make.user(login)
      await make.permission(user, world.repository, role)
      tokens.set(login, user.token)
    }
  })

  async function opened(login: string, options: Parameters<Browser['newContext']>[0]) {
    const context = await site.browser.newContext(options)
    const page = await context.newPage()
    const token = tokens.get(login)
    if (token !== undefined) {
      await page.goto(`${site.url}/login`)
      await page.fill('input[name="codehost_token"]', token)
      await page.click('main button')
    }
    return { context, page }
  }

  /**
   * The findings of axe on a page, as `rule: element`, unless a page with these elements was
   * checked before.
   */
  async function foundOn(page: Page, key: string): Promise<string[]> {
    const outline = await page.evaluate(
      `[...document.querySelectorAll('main, main *')].map((e) => e.tagName + e.className).join()`,
    )
    const digest = createHash('sha256')
      .update(`${key} ${String(outline)}`)
      .digest('hex')
    if (seen.has(digest)) return []
    seen.add(digest)
    await page.evaluate(axe)
    const results = (await page.evaluate(
      `axe.run({ runOnly: ${JSON.stringify(tags)}, resultTypes: ["violations"] })`,
    )) as AxeResults
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }

  async function walk({ context, page }: { context: BrowserContext; page: Page }, key: string) {
    const found: string[] = []
    for (const address of [...ownPages, ...world.addresses]) {
      await page.goto(`${site.url}${address}`)
      if (address.includes('/jobs/')) {
        await page.waitForSelector('#log[data-loaded], .empty, .status', { state: 'attached' })
      }
      for (const each of await foundOn(page, key)) found.push(`${address} ${each}`)
    }
    await context.close()
    return found
  }

  test.each(['nobody', 'rita', 'paul', 'anna', 'adele'])('for %s', async (login) => {
    const viewport = { width: 1280, height: 800 }
    expect(await walk(await opened(login, { viewport }), 'wide')).toEqual([])
  })

  test('on a narrow screen in the dark', async () => {
    const viewport = { width: 360, height: 740 }
    const options = { viewport, colorScheme: 'dark' as const }
    expect(await walk(await opened('adele', options), 'narrow')).toEqual([])
  })
})
