import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { settingsOf } from '../../src/store/repositories/settings.ts'
import { chromium, useBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { needs } from '../support/needs.ts'
import { pageWorld, type PageWorld } from '../support/page-world.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db, { codehost: memoryCodehost() })
Object.assign(ctx.site, { url: 'http://127.0.0.1' })
const server = await createServer(ctx)

/** More tab stops than any page has before the element. */
const mostStops = 90

describe('with the keyboard alone', needs(chromium), () => {
  const site = useBrowser(server)
  let page: Page
  let world: PageWorld

  beforeEach(async () => {
    world = await pageWorld(ctx, make, 'a name', { owner_name: 'octavia', name: 'hello' })
    const anna = await make.user('anna')
    await make.permission(anna, world.repository, 'push')
    page = await (await site.browser.newContext()).newPage()
    await page.goto(`${site.url}/login`)
    await tabTo('[name="codehost_token"]')
    await page.keyboard.type(anna.token)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/`)
  })

  /** Presses Tab until the focus is on an element, which must be visible then. */
  async function tabTo(selector: string) {
    for (let stops = 0; stops < mostStops; stops += 1) {
      await page.keyboard.press('Tab')
      const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`
      if (!(await page.evaluate(isThere))) continue
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
      expect([selector, outline]).not.toEqual([selector, 'none'])
      return
    }
    expect.fail(`no stop is ${selector}`)
  }
  const press = async (selector: string, key = 'Enter') => {
    await tabTo(selector)
    await page.keyboard.press(key)
  }
  /** Presses a key that opens another page, and waits for its text. */
  const said = async (selector: string) => {
    await press(selector)
    return page.textContent('[role="status"].said')
  }
  const open = (path = '') => page.goto(`${site.url}${world.base}${path}`)
  const buttonOf = (action: string) => `form[action$="${action}"] button`

  test('a user restarts failed jobs, and a single job', async () => {
    await open(`/builds/${world.builds.failed.id}`)
    expect(await said(buttonOf('/restart_failed'))).toContain('that did not pass')
    await open(`/builds/${world.builds.passed.id}`)
    expect(await said('[aria-label="Restart job 1.1"]')).toContain('Restarted.')
  })

  test('a user cancels a build after a confirmation', async () => {
    await open(`/builds/${world.builds.running.id}`)
    await press('a[href$="/cancel"]')
    await page.waitForURL(/\/cancel$/)
    expect(await said('button.danger')).toContain('Canceled.')
  })

  test('a user approves the commit of a fork', async () => {
    await open(`/builds/${world.builds.unapproved.id}`)
    expect(await said(buttonOf('/approve'))).toContain('Approved.')
  })

  test('a user requests a build', async () => {
    await open()
    await press('a[href$="/build_now"]')
    await page.waitForURL(/\/build_now$/)
    await tabTo('#ref')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('topic')
    await tabTo('#variables')
    await page.keyboard.type('DEBUG=1')
    expect(await said('button.main')).toContain('Requested.')
  })

  test('a user changes a setting', async () => {
    await open()
    await press('a[href$="/settings"]')
    await page.waitForURL(/\/settings$/)
    await press('[name="build_pushes"]', 'Space')
    expect(await said('button')).toContain('Saved.')
    expect((await settingsOf(db, world.repository.id)).build_pushes).toBe(false)
  })

  test('a user adds a variable and deletes it', async () => {
    await open()
    await press('a[href$="/variables"]')
    await page.waitForURL(/\/variables$/)
    await tabTo('#name')
    await page.keyboard.type('VOICE')
    await tabTo('#value')
    await page.keyboard.type('hush')
    expect(await said('button.main')).toContain('The variable is added.')
    await press('a[href$="/delete"]')
    await page.waitForURL(/\/delete$/)
    expect(await said('button.danger')).toContain('The variable is deleted.')
  })

  test('a user searches a log, and selects some of its lines', async () => {
    await open(`/jobs/${world.job.id}`)
    await page.waitForSelector('#log[data-loaded]')
    await tabTo('#search')
    await page.keyboard.type('assertion')
    await expect.poll(() => page.textContent('#found')).toBe('1 line')
    await page.keyboard.press('Enter')
    expect(await page.textContent('#found')).toBe('1 of 1')
    await tabTo('#log')
    await page.keyboard.press('e')
    expect(await page.textContent('#chosen-text')).toBe('Line 7')
    await page.keyboard.press('Shift+ArrowUp')
    expect(await page.textContent('#chosen-text')).toBe('Lines 6–7')
    await expect.poll(() => page.evaluate('location.hash')).toBe('#L6-L7')
  })

  test('a user goes from the excerpt to its line in the log', async () => {
    await open(`/jobs/${world.job.id}`)
    await page.waitForSelector('#log[data-loaded]')
    await press('#failure a')
    await expect.poll(() => page.textContent('#chosen-text')).toMatch(/^Line \d/)
  })
})
