import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { json } from '../../src/store/tables.ts'
import { chromium, complaintsOf, isWide, useBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { needs } from '../support/needs.ts'

const db = await testDatabase()
const make = factories(db)
// No one streams events here, so no page tries to follow them.
const { streaming: _streaming, ...ctx } = testContext(db)
const server = await createServer(ctx)

describe('in a browser', needs(chromium), () => {
  const site = useBrowser(server)
  let page: Page
  let complaints: string[]

  beforeEach(async () => {
    page = await site.browser.newPage({ viewport: { width: 360, height: 800 } })
    complaints = complaintsOf(page)
  })

  test('one goes from the repositories to a build and to the log of its job', async () => {
    const repository = await make.repository({ last_build_id: 1 })
    const commit = await make.commit(repository, { message: '<b>Greet</b> everybody' })
    const build = await make.build({ repository, commit_id: commit.id, state: 'passed' })
    const job = await make.job({ build, state: 'passed', config: json({ env: 'GREETING=hello' }) })
    await make.log(job, 'service_fold:start:install\r\u001B[0K$ make\r\n', 'done <script>\r\n')

    await page.goto(`${site.url}/`)
    expect(await page.title()).toBe('Repositories · build-service')
    await page.click('text=octavia/hello')
    await page.click('a:has-text("#1")')
    expect(await page.textContent('h1')).toContain('Build #1')
    expect(await page.textContent('main')).toContain('<b>Greet</b> everybody')
    await page.click(`a:has-text("${job.number}")`)
    expect(await page.textContent('main')).toContain('done <script>')
    expect(await isWide(page)).toBe(false)
    expect(complaints).toEqual([])
  })

  test('a missing record is reported on a page that leads back', async () => {
    await page.goto(`${site.url}/octavia/nothing`)
    expect(await page.textContent('h1')).toBe('Not found')
    await page.click('text=To the repositories')
    expect(await page.textContent('h1')).toBe('Repositories')
    // The browser itself notes the 404.
    expect(complaints).toEqual([expect.stringContaining('404')])
  })

  test('the style sheet is loaded and kept', async () => {
    const answer = page.waitForResponse((response) => response.url().includes('style.css'))
    await page.goto(`${site.url}/`)
    const { status, headers } = await answer.then((response) => ({
      status: response.status(),
      headers: response.headers(),
    }))
    expect(status).toBe(200)
    expect(headers['cache-control']).toContain('immutable')
  })
})
