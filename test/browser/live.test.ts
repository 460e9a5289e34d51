import type { Browser, BrowserContext, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Job } from '../../src/domain/job/job.ts'
import type { User } from '../../src/domain/owner.ts'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { appendLog } from '../../src/flow/jobs/logs.ts'
import { restartJob } from '../../src/flow/jobs/restart-job.ts'
import { type Served, serve } from '../channels/scene.ts'
import { chromium, openBrowser } from '../support/browser.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { needs } from '../support/needs.ts'

const database = await ownDatabase()
const { db } = database
const make = factories(db)

/** Waits for a page to show a text. */
const wait = { timeout: 20_000 }

describe('a page with live updates, in a browser', needs(chromium), () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let service: Served
  let anna: User & { token: string }
  let job: Job
  let hosts: Set<string>
  let complaints: string[]
  let number: number

  beforeAll(async () => {
    browser = await openBrowser()
    service = await serve(database, {
      change: ({ site }) => Object.assign(site, { url: 'http://127.0.0.1' }),
    })
    anna = await make.user('anna')
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  beforeEach(async () => {
    const repository = await make.repository({ name: `r${Date.now()}`, private: true })
    await make.permission(anna, repository, 'push')
    const build = await make.build({ repository, state: 'started', private: true })
    job = await make.job({ build, state: 'started', number: '1.1' })
    number = 0
    context = await browser.newContext()
    page = await context.newPage()
    hosts = new Set()
    complaints = []
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${service.url}/login`)
    await page.fill('input[name="codehost_token"]', anna.token)
    await page.click('main button')
    return () => context.close()
  })

  const repositoryOf = async () =>
    db
      .selectFrom('repositories')
      .selectAll()
      .where('id', '=', job.repository_id)
      .executeTakeFirstOrThrow()
  const pathOf = async (rest = '') => `${service.url}/octavia/${(await repositoryOf()).name}${rest}`
  const open = async (rest = `/jobs/${job.id}`) => {
    await page.goto(await pathOf(rest))
    await page.waitForSelector('html.live', { state: 'attached' })
  }
  async function print(content: string, final = false) {
    number += 1
    await appendLog(service.ctx, { job_id: job.id, attempt: job.attempt }, [
      { number, content, final },
    ])
  }
  const end = () => finishJob(service.ctx, { job_id: job.id, attempt: job.attempt }, 'failed')
  const lines = () => page.locator('#log .line').allTextContents()
  async function untilShown(...expected: string[]) {
    await expect.poll(lines, wait).toEqual(expected)
  }

  test('a printed line appears in the log, even before it is complete', async () => {
    await open()
    await print('one\r\n')
    await untilShown('one')
    await print('tw')
    await untilShown('one', 'tw')
    await print('o <script>alert(1)</script>\r\n\u001B[31mred')
    await untilShown('one', 'two <script>alert(1)</script>', 'red')
    expect(await page.textContent('#log [class^="ink-"]')).toBe('red')
    await print('', true)
    await expect.poll(() => page.textContent('#size'), wait).toBe('3 lines')
    expect([...hosts]).toEqual([new URL(service.url).host])
    expect(complaints).toEqual([])
  })

  test('the states and the failure appear, while open folds stay open', async () => {
    await open()
    await print('$ npm test\r\n')
    await untilShown('$ npm test')
    await page.click('summary:has-text("View")')
    await print('The command "npm test" exited with 1.\r\n', true)
    await end()
    await expect.poll(() => page.textContent('.why'), wait).toContain('npm test exited with 1')
    expect(await page.title()).toContain('Failed')
    expect(await page.getAttribute('details.menu', 'open')).toBe('')
    expect(await page.textContent('#end')).toBe('End of the log.')
    expect(await page.isHidden('#follow')).toBe(true)
    await page.keyboard.press('Escape')
    await page.focus('#log')
    await page.keyboard.press('e')
    expect(await page.textContent('#chosen-text')).toBe('Line 2')
  })

  test('a restart begins a new log', async () => {
    await print('first\r\n')
    await open()
    await untilShown('first')
    await print('', true)
    await end()
    await expect.poll(() => page.title(), wait).toContain('Failed')
    await restartJob(service.ctx, { user: anna, token_id: null, address: '' }, job.id)
    const { attempt } = await db
      .selectFrom('jobs')
      .select('attempt')
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow()
    job = { ...job, attempt }
    number = 0
    await print('second\r\n')
    await expect.poll(lines, wait).toEqual(['second'])
  })

  test('a reload and a killed web process neither lose nor duplicate lines', async () => {
    await open()
    await print('1\r\n')
    await untilShown('1')
    await page.reload()
    await print('2\r\n')
    await untilShown('1', '2')
    const { port } = service
    await service.close()
    await print('3\r\n')
    service = await serve(database, {
      port,
      change: ({ site }) => Object.assign(site, { url: 'http://127.0.0.1' }),
    })
    await print('4\r\n')
    // The client waits for longer and longer while the server does not respond.
    await expect.poll(lines, { timeout: 120_000 }).toEqual(['1', '2', '3', '4'])
    await print('5\r\n')
    await expect.poll(lines, wait).toEqual(['1', '2', '3', '4', '5'])
  }, 240_000)

  test('the end of a followed log stays on the screen until the user scrolls up', async () => {
    const many = (from: number) =>
      Array.from({ length: 200 }, (_, index) => `line ${from + index}\r\n`).join('')
    await print(many(1))
    await open()
    const isAtEnd = () =>
      page.evaluate(
        `document.getElementById('end').getBoundingClientRect().bottom <= innerHeight + 1`,
      )
    await page.click('#follow')
    await expect.poll(isAtEnd, wait).toBe(true)
    await print(many(201))
    await expect.poll(() => page.textContent('#size'), wait).toBe('400 lines')
    await expect.poll(isAtEnd, wait).toBe(true)
    await page.mouse.move(600, 400)
    await page.mouse.wheel(0, -600)
    await expect.poll(() => page.getAttribute('#follow', 'aria-pressed'), wait).toBe('false')
    await print(many(401))
    await expect.poll(() => page.textContent('#follow'), wait).toBe('Follow (200 lines)')
    expect(await isAtEnd()).toBe(false)
  })

  test('a user with another session receives nothing of a private job', async () => {
    await open()
    const { live } = await page.evaluate<{ live: string }>('({ live: document.body.dataset.live })')
    const { token } = JSON.parse(live) as { token: string }
    const stranger = await browser.newContext()
    const answer = await stranger.request.post(`${service.url}/streaming/auth`, {
      form: { socket_id: '1.2', channel_name: `private-job-${job.id}`, form_token: token },
    })
    expect(answer.status()).toBe(403)
    expect((await stranger.request.get(await pathOf(`/jobs/${job.id}`))).status()).toBe(404)
    await stranger.close()
  })

  test.each([
    ['build', () => `/builds/${job.build_id}`],
    ['repository', () => ''],
  ])('the page of a %s updates its states in place', async (_name, rest) => {
    await open(rest())
    await page.evaluate('window.untouched = true')
    await expect.poll(() => page.textContent('main'), wait).toContain('Running')
    await end()
    await expect.poll(() => page.textContent('main'), wait).toContain('Failed')
    expect(await page.evaluate('window.untouched')).toBe(true)
    expect(complaints).toEqual([])
  })

  test('an event sent by another client is ignored', async () => {
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket(/\/app\//, (socket) => {
      socket.connectToServer()
      sockets.push(socket)
    })
    await open('')
    await page.evaluate(`{
      window.seen = []
      document.addEventListener('live:event', ({ detail }) => window.seen.push(detail.event))
    }`)
    const { live } = await page.evaluate<{ live: string }>('({ live: document.body.dataset.live })')
    const { channels } = JSON.parse(live) as { channels: string[] }
    // A busy machine may have needed several connections.
    for (const event of ['client-greeting', 'joke:told', 'job:started']) {
      sockets.at(-1)?.send(JSON.stringify({ event, channel: channels[0], data: { id: 1 } }))
    }
    await expect.poll(() => page.evaluate('window.seen'), wait).toEqual(['job:started'])
  })

  test('the home page shows builds that start and end', async () => {
    await db
      .updateTable('repositories')
      .set({ last_build_id: job.build_id })
      .where('id', '=', job.repository_id)
      .execute()
    await page.goto(service.url)
    await page.waitForSelector('html.live', { state: 'attached' })
    const { name } = await repositoryOf()
    const item = `main :is(li):has(bdi:text-is("octavia/${name}"))`
    await end()
    await expect
      .poll(async () => (await page.locator(item).allTextContents()).join(' '), wait)
      .toContain('Failed')
  })

  test('without JavaScript nothing is reloaded automatically', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    await plain.addCookies(await context.cookies())
    const still = await plain.newPage()
    await print('one\r\n')
    await still.goto(await pathOf(`/jobs/${job.id}`))
    expect(await still.textContent('#log')).toContain('one')
    expect(await still.isVisible('.as-of')).toBe(true)
    expect(await still.isHidden('#follow')).toBe(true)
    expect(await still.content()).not.toContain('http-equiv')
    await plain.close()
  })
})
