import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/owner.ts'
import { createServer } from '../../src/http/server.ts'
import { chromium, openBrowser } from '../support/browser.ts'
import { noon, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { needs } from '../support/needs.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
Object.assign(ctx.site, { url: 'http://127.0.0.1' })
const server = await createServer(ctx)

describe.each([true, false])('in a browser, with JavaScript: %s', (javaScriptEnabled) => {
  describe('a user with push access', needs(chromium), () => {
    let browser: Browser
    let page: Page
    let url: string
    let anna: User & { token: string }

    beforeAll(async () => {
      browser = await openBrowser()
      if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
      url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    })
    afterAll(() => browser.close())

    beforeEach(async () => {
      const repository = await make.repository()
      anna = await make.user('anna')
      await make.permission(anna, repository, 'push')
      const build = await make.build({ repository, state: 'failed' })
      await make.job({ build, number: '1.1', state: 'passed' })
      await make.job({ build, number: '1.2', state: 'failed' })
      const running = await make.build({ repository, state: 'started', started_at: noon })
      await make.job({ build: running, number: '2.1', state: 'started', started_at: noon })
      const context = await browser.newContext({ javaScriptEnabled })
      page = await context.newPage()
      await page.goto(`${url}/login`)
      await page.fill('input[name="codehost_token"]', anna.token)
      await page.click('main button')
    })

    const states = async () => {
      const rows = await db.selectFrom('jobs').select('state').orderBy('id').execute()
      return rows.map(({ state }) => state)
    }

    test('restarts one job with a click in its row', async () => {
      await page.goto(`${url}/octavia/hello/builds/1`)
      await page.click('button[aria-label="Restart job 1.2"]')
      expect(await page.textContent('[role="status"]')).toContain('Restarted.')
      expect(await states()).toEqual(['passed', 'created', 'started'])
    })

    test('restarts failed jobs, and cancels a build after a confirmation', async () => {
      await page.goto(`${url}/octavia/hello/builds/1`)
      await page.click('text=Restart what did not pass (1)')
      expect(await page.textContent('h1')).toContain('Build #1')
      await page.goto(`${url}/octavia/hello/builds/2`)
      await page.click('text=Cancel …')
      expect(await page.textContent('h1')).toBe('Cancel build #2?')
      await page.click('button.danger')
      expect(await page.textContent('.why')).toBe('It was canceled by anna.')
      expect(await states()).toEqual(['passed', 'created', 'canceled'])
    })

    test('adds a secret in two clicks, and builds a tag in three', async () => {
      await page.goto(`${url}/octavia/hello`)
      await page.click('text=Variables')
      await page.fill('#name', 'TOKEN')
      await page.fill('#value', 'hush')
      await page.click('text=Add the variable')
      expect(await page.textContent('table')).toContain('secret')
      await page.goto(`${url}/octavia/hello`)
      await page.click('text=Build now')
      await page.check('input[value="tag"]')
      await page.fill('#ref', 'v1.2')
      await page.fill('#variables', 'DEBUG=1')
      await page.click('text=Start')
      expect(await page.textContent('[role="status"]')).toContain('Requested.')
      const [request] = await db
        .selectFrom('requests')
        .selectAll()
        .where('event_type', '=', 'api')
        .execute()
      expect(request).toMatchObject({ ref: 'refs/tags/v1.2', variables: { DEBUG: '1' } })
    })
  })
})

afterAll(() => server.close())
