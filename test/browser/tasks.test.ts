import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { createServer } from '../../src/http/server.ts'
import { chromium, isWide, useBrowser } from '../support/browser.ts'
import { noon, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pullOf } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { addRun } from '../support/job-runs.ts'
import { memoryCodehost, putPull } from '../support/memory-codehost.ts'
import { needs } from '../support/needs.ts'

const db = await testDatabase()
const make = factories(db)
const codehost = memoryCodehost()
const ctx = testContext(db, { codehost })
Object.assign(ctx.site, { url: 'http://127.0.0.1', admins: ['codehost:adele'] })

const red = '\u001B[31;1m'
const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`)
const output =
  `$ npm test\r\n${lines.join('\r\n')}\r\nFAIL greet: deprecated\r\n` +
  `${red}The command "npm test" exited with 1.\u001B[0m\r\n\r\nDone.\r\n`
/** The number of the line that reports the failed command. */
const failedAt = 303

const desk = { width: 1280, height: 800 }
const phone = { width: 360, height: 740 }
// The other tests of pages drive a desk with JavaScript.
const ways = [
  { viewport: desk, javaScriptEnabled: false, server: await createServer(ctx) },
  { viewport: phone, javaScriptEnabled: true, server: await createServer(ctx) },
]

/** What people come for, each with the fewest clicks on links and buttons that it can take. */
describe.each(ways)('at $viewport.width px, with JavaScript: $javaScriptEnabled', (way) => {
  describe('a user', needs(chromium), () => {
    const site = useBrowser(way.server)
    let page: Page
    let repository: Repository
    let clicks: number

    beforeEach(async () => {
      repository = await make.repository()
      const anna = await make.user('anna')
      await make.permission(anna, repository, 'push')
      await logIn(anna)
      clicks = 0
    })

    /** In a browser of their own. */
    async function logIn({ token }: { token: string }): Promise<void> {
      const { javaScriptEnabled, viewport } = way
      page = await (await site.browser.newContext({ javaScriptEnabled, viewport })).newPage()
      await page.goto(`${site.url}/login`)
      await page.fill('input[name="codehost_token"]', token)
      await page.click('main button')
    }

    async function failedBuild() {
      const build = await make.build({ repository, state: 'failed', started_at: noon })
      await make.job({ build, number: '1.1', state: 'passed', started_at: noon })
      const job = await make.job({ build, number: '1.2', state: 'failed', started_at: noon })
      await make.log(job, output)
      const lines = [
        { number: failedAt - 1, text: 'FAIL greet: deprecated', before: [], after: [] },
      ]
      await addRun(db, job, {
        failure: {
          ...{ basis: 'guess', kind: null, command: 'npm test', phase: 'script', exit_code: 1 },
          ...{ lines, compared: [] },
        },
      })
      return open('/builds/1')
    }

    async function open(path = ''): Promise<void> {
      await page.goto(`${site.url}/octavia/hello${path}`)
      expect(await isWide(page)).toBe(false)
    }

    async function click(target: string): Promise<void> {
      clicks += 1
      await page.click(target)
    }

    const text = (selector: string) => page.textContent(selector)

    const isOnFirstScreen = (selector: string) =>
      page
        .locator(selector)
        .boundingBox()
        .then((box) => box !== null && box.y >= 0 && box.y + box.height <= way.viewport.height)

    const states = async () => {
      const rows = await db.selectFrom('jobs').select('state').orderBy('id').execute()
      return rows.map(({ state }) => state)
    }

    test('reads why a build failed on the first screen', async () => {
      await failedBuild()
      const panel = 'article.panel'
      expect(await text(panel)).toContain('npm test exited with 1')
      expect(await text(panel)).toContain('FAIL greet: deprecated')
      expect(await isOnFirstScreen(`${panel} .excerpt`)).toBe(true)
    })

    test('gets the address of the line that failed with one click', async () => {
      await failedBuild()
      await click('text=/^Open at line/')
      expect(new URL(page.url()).hash).toBe(`#L${failedAt - 1}`)
      const line = way.javaScriptEnabled ? '#log .chosen' : `#L${failedAt - 1}`
      expect(await text(line)).toContain('FAIL greet: deprecated')
      expect(clicks).toBe(1)
    })

    test('restarts only the failed job with one click', async () => {
      await failedBuild()
      await click('button[aria-label="Restart job 1.2"]')
      expect(await text('[role="status"]')).toContain('Restarted.')
      expect(await states()).toEqual(['passed', 'created'])
      expect(clicks).toBe(1)
    })

    test('restarts what did not pass with one click', async () => {
      await failedBuild()
      await click('text=Restart what did not pass (1)')
      expect(await text('h1')).toContain('Build #1')
      expect(await states()).toEqual(['passed', 'created'])
    })

    test('cancels a build with two clicks', async () => {
      const build = await make.build({ repository, state: 'started', started_at: noon })
      await make.job({ build, state: 'started', started_at: noon })
      await open('/builds/1')
      await click('text=Cancel …')
      expect(await text('h1')).toBe('Cancel build #1?')
      await click('button.danger')
      expect(await text('.why')).toBe('It was canceled by anna.')
      expect(await states()).toEqual(['canceled'])
      expect(clicks).toBe(2)
    })

    /** Without JavaScript, the browser searches the log as plain text. */
    async function search(word: string): Promise<string | null> {
      await page.goto(`${site.url}/octavia/hello/jobs/2`)
      if (!way.javaScriptEnabled) {
        await click('text=View')
        await click('text=Plain text')
        return text('body')
      }
      await page.waitForSelector('#log[data-loaded]', { state: 'attached' })
      await page.fill('#search', word)
      await page.keyboard.press('Enter')
      return text('.found')
    }

    test('finds a word in a log', async () => {
      await failedBuild()
      expect(await search('deprecated')).toContain('FAIL greet: deprecated')
      expect(clicks).toBe(way.javaScriptEnabled ? 0 : 2)
    })

    test('reads why a job waits, and looks at the queue with one click', async () => {
      const build = await make.build({ repository, state: 'created' })
      await make.job({ build, state: 'queued', queued_at: noon })
      await open('/builds/1')
      expect(await text('main')).toContain('It waits for a free runner')
      await click('footer >> text=Queue')
      expect(await text('main')).toContain('octavia/hello')
      expect(clicks).toBe(1)
    })

    test('reads why a push was not built on the page of its repository', async () => {
      const { id: commit_id } = await make.commit(repository)
      const message = 'skipped by commit message: it contains [skip ci]'
      await make.request({ repository, commit_id, result: 'rejected', message })
      await open()
      expect(await text('section:has(#not-built)')).toContain(message)
    })

    test('adds a secret with two clicks', async () => {
      await open()
      await click('text=Variables')
      await page.fill('#name', 'TOKEN')
      await page.fill('#value', 'hush')
      await page.fill('#branch', 'main')
      await click('text=Add the variable')
      expect(await text('table')).toContain('secret')
      expect(await text('table')).toContain('main')
      expect(clicks).toBe(2)
    })

    test('builds a tag with a variable with three clicks', async () => {
      await open()
      await click('text=Build now')
      await page.check('input[value="tag"]')
      await page.fill('#ref', 'v1.2')
      await page.fill('#variables', 'DEBUG=1')
      await click('text=Start')
      expect(await text('[role="status"]')).toContain('Requested.')
      const requests = await db.selectFrom('requests').selectAll().execute()
      expect(requests).toMatchObject([{ ref: 'refs/tags/v1.2', variables: { DEBUG: '1' } }])
      expect(clicks).toBeLessThanOrEqual(3)
    })

    test('approves the pull request of a fork with one click', async () => {
      const sha = 'd'.repeat(40)
      putPull(codehost, { head: sha, merge: 'e'.repeat(40) })
      const head = { ...pullOf(repository).head, sha, repository_codehost_id: 4711 }
      const received = await receiveEvent(ctx, pullOf(repository, { action: 'opened', head }))
      if (!('request' in received)) throw new Error('there is no request')
      await acceptRequest(ctx, received.request.id)
      await open('/builds/1')
      await click('text=Approve ddddddd and build it')
      const builds = await db.selectFrom('builds').select('waits_for_approval').execute()
      expect(builds).toEqual([{ waits_for_approval: false }])
      expect(clicks).toBe(1)
    })

    test('filters builds with one click, and can share the address', async () => {
      const { id: branch_id } = await db
        .insertInto('branches')
        .values({ repository_id: repository.id, name: 'main' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await make.build({ repository, branch_id, state: 'passed' })
      await make.build({ repository, branch_id, state: 'failed' })
      await open()
      await page.fill('.filters [name="branch"]', 'main')
      await page.selectOption('.filters [name="state"]', 'failed')
      await click('text=Filter')
      const filter = new URL(page.url()).searchParams
      expect([filter.get('branch'), filter.get('state')]).toEqual(['main', 'failed'])
      expect(await text('ul.items')).toContain('#2')
      expect(await text('ul.items')).not.toContain('#1')
      expect(clicks).toBe(1)
    })

    test('sees as an administrator which runner has a job, with one click', async () => {
      const build = await make.build({ repository, state: 'started', started_at: noon })
      const { id: job_id } = await make.job({ build, state: 'started', started_at: noon })
      const lease = { attempt: 1, runner_id: 'machine-7', claimed_at: noon, renewed_at: noon }
      await db
        .insertInto('leases')
        .values({ job_id, ...lease })
        .execute()
      await logIn(await make.user('adele'))
      await click('footer >> text=Queue')
      expect(await text('main')).toContain('machine-7')
      expect(clicks).toBe(1)
    })
  })
})
