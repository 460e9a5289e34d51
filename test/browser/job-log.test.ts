import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Job } from '../../src/domain/job/job.ts'
import { createServer } from '../../src/http/server.ts'
import { chromium, complaintsOf, useBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { addRun } from '../support/job-runs.ts'
import { needs } from '../support/needs.ts'

const db = await testDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

const escape = '\u001B'
const clear = `\r${escape}[0K`
const fold =
  `service_fold:start:git.checkout${clear}service_time:start:0a${clear}$ git clone it\r\nCloning\r\n` +
  `service_time:end:0a:start=1,finish=2,duration=900000000${clear}service_fold:end:git.checkout${clear}`
const lines = Array.from({ length: 9000 }, (_, index) => `line ${index} <script>alert(1)</script>`)
const output =
  `${fold}$ npm test\r\n${lines.join('\r\n')}\r\nFAIL greet deprecated\r\n` +
  `${escape}[31;1mThe command "npm test" exited with 1.${escape}[0m\r\n\r\nDone.\r\n`
/** The number of the line that reports the failed command. */
const failedAt = 9005

describe('the page of a job in a browser', needs(chromium), () => {
  const site = useBrowser(server)
  let page: Page
  let complaints: string[]
  let job: Job

  beforeEach(async () => {
    const repository = await make.repository()
    const build = await make.build({ repository, state: 'failed' })
    job = await make.job({ build, state: 'failed', number: '1.1' })
    await make.log(job, output)
    page = await site.browser.newPage({ viewport: { width: 1280, height: 800 } })
    complaints = complaintsOf(page)
  })

  const open = async (hash = '') => {
    await page.goto(`${site.url}/octavia/hello/jobs/${job.id}${hash}`)
    await page.waitForSelector('#log[data-loaded]', { state: 'attached' })
  }
  const top = (id: string) =>
    page.evaluate(`document.getElementById('${id}').getBoundingClientRect().top`)
  const isOnScreen = (selector: string) =>
    page.evaluate(
      `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)` +
        `(document.querySelector('${selector}').getBoundingClientRect())`,
    )

  test('the document contains the whole log, as plain text', async () => {
    await open()
    expect(await page.textContent('#size')).toBe('9,007 lines')
    expect(await page.evaluate(`document.querySelectorAll('#log .line').length`)).toBe(9007)
    expect(await page.evaluate(`document.querySelectorAll('#log script').length`)).toBe(0)
    expect(await page.textContent('#log')).toContain('line 0 <script>alert(1)</script>')
    expect(complaints).toEqual([])
  })

  test('the failure and the beginning of the log are on the first screen', async () => {
    for (const [width, height, most] of [
      [1280, 800, 300],
      [360, 740, 640],
    ] as const) {
      await page.setViewportSize({ width, height })
      await open()
      expect(await top('log-part')).toBeLessThanOrEqual(most)
      expect(await isOnScreen('#failure')).toBe(true)
      expect(await page.textContent('.why')).toContain('npm test exited with 1')
      expect(
        await page.evaluate(
          'document.documentElement.scrollWidth > document.documentElement.clientWidth',
        ),
      ).toBe(false)
    }
  })

  test('a link to a line opens its fold and shows it', async () => {
    await open('#L2')
    expect(await page.getAttribute('#log details', 'open')).toBe('')
    expect(await page.textContent('.chosen')).toBe('Cloning')
    await open('#L5000')
    expect(await page.textContent('.chosen')).toBe('line 4996 <script>alert(1)</script>')
    expect(await isOnScreen('.chosen')).toBe(true)
  })

  test('line numbers select lines, Shift selects a range, and the address shows the selection', async () => {
    await open()
    const number = (line: number) =>
      page.click(`#log .line[data-n="${line}"]`, { position: { x: 30, y: 8 } })
    await number(4)
    await page.keyboard.down('Shift')
    await number(6)
    await page.keyboard.up('Shift')
    expect(await page.textContent('#chosen-text')).toBe('Lines 4–6')
    await expect.poll(() => page.evaluate('location.hash')).toBe('#L4-L6')
    await page.click('#choose-none')
    await expect.poll(() => page.evaluate('location.hash')).toBe('')
    expect(await page.evaluate(`document.querySelectorAll('.chosen').length`)).toBe(0)
  })

  test('the search counts matches, and Enter goes from match to match', async () => {
    await open()
    await page.fill('#search', 'deprecated')
    await expect.poll(() => page.textContent('#found')).toBe('1 line')
    await page.keyboard.press('Enter')
    expect(await page.textContent('#found')).toBe('1 of 1')
    expect(await page.textContent('.found')).toBe('FAIL greet deprecated')
    expect(await isOnScreen('.found')).toBe(true)
    // Without a pause after typing, and continuing in the log.
    await page.fill('#search', 'line 499')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.textContent('#found')).toBe('1 of 11')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.id')).toBe('log')
    await page.keyboard.press('n')
    expect(await page.textContent('#found')).toBe('2 of 11')
    await page.fill('#search', ':120')
    await page.keyboard.press('Enter')
    expect(await page.textContent('#chosen-text')).toBe('Line 120')
  })

  test('shortcuts work only while the log has the focus', async () => {
    await open()
    await page.keyboard.press('e')
    expect(await page.isHidden('#chosen')).toBe(true)
    await page.focus('#log')
    await page.keyboard.press('e')
    expect(await page.textContent('#chosen-text')).toBe(`Line ${failedAt}`)
    expect(await page.textContent('.chosen')).toBe('The command "npm test" exited with 1.')
    await page.keyboard.press('Shift+ArrowUp')
    expect(await page.textContent('#chosen-text')).toBe(`Lines ${failedAt - 1}–${failedAt}`)
    await page.keyboard.press('Escape')
    expect(await page.isHidden('#chosen')).toBe(true)
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('search')
  })

  test('the likeliest error comes first, then the others in the order of the log', async () => {
    const lines = [7000, 120, 9004].map((number) => ({ number, text: 'x', before: [], after: [] }))
    await addRun(db, job, {
      failure: {
        ...{ basis: 'guess', kind: null, command: 'npm test', phase: 'script', exit_code: 1 },
        ...{ lines, compared: [] },
      },
    })
    await open()
    await page.click('#first-error')
    await expect.poll(() => page.textContent('#chosen-text')).toBe('Line 7000')
    await page.click('#next-error')
    expect(await page.textContent('#chosen-text')).toBe('Line 9004')
    expect(await isOnScreen('.chosen')).toBe(true)
    await page.focus('#log')
    await page.keyboard.press('e')
    expect(await page.textContent('#chosen-text')).toBe('Line 120')
    await page.keyboard.press('e')
    expect(await page.textContent('#chosen-text')).toBe('Line 7000')
    await page.click('#previous-error')
    expect(await page.textContent('#chosen-text')).toBe('Line 120')
  })

  test('each line can show its time', async () => {
    await db.deleteFrom('log_parts').execute()
    await make.log(
      job,
      output.slice(0, output.indexOf('line 4000')),
      output.slice(output.indexOf('line 4000')),
    )
    const later = new Date(Date.now() + 3_725_000)
    await db.updateTable('log_parts').set({ created_at: later }).where('number', '=', 2).execute()
    await open()
    const shown = (line: number) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('#log [data-n="${line}"]'), '::before').content`,
      )
    expect(await shown(1)).not.toContain('0:00')
    await page.focus('#log')
    await page.keyboard.press('t')
    await expect.poll(() => shown(1)).toContain('"0:00 ')
    await page.evaluate(`document.getElementById('end').scrollIntoView()`)
    await expect.poll(() => shown(9000)).toMatch(/^"1:02:0[45] /)
    expect(complaints).toEqual([])
    await page.focus('#log')
    await page.keyboard.press('t')
    await expect.poll(() => shown(9000)).not.toContain('1:02')
  })

  test('without JavaScript the end of the log is shown, with links to its lines', async () => {
    const context = await site.browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(`${site.url}/octavia/hello/jobs/${job.id}`)
    expect(await plain.textContent('#log')).toContain('Only the end of this log is shown')
    expect(await plain.isHidden('#find')).toBe(true)
    await plain.click('#first-error')
    expect(plain.url()).toContain(`#L${failedAt}`)
    expect(await plain.textContent('#log .line:target .text')).toContain('exited with 1')
    await context.close()
  })
})
