import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { mostBytes } from '../../src/lint/limits.ts'
import { chromium, complaintsOf, isWide, useBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { needs } from '../support/needs.ts'

const server = await createServer(testContext(await testDatabase()))

const file = 'language: ruby\ngit:\n  depht: 3\nscript: make\nfoo: <b>bar</b>\n'

describe('in a browser', needs(chromium), () => {
  const site = useBrowser(server)
  let page: Page
  let complaints: string[]

  afterEach(() => page.close())

  async function open({ script }: { script: boolean }) {
    page = await site.browser.newPage({
      viewport: { width: 360, height: 800 },
      javaScriptEnabled: script,
    })
    complaints = complaintsOf(page)
    await page.goto(`${site.url}/lint`)
  }

  const field = () => page.getByLabel('Build file')
  const says = (text: string) => page.locator('#summary', { hasText: text }).waitFor()
  /** What stands right below a line. */
  const below = (line: number) => page.textContent(`#L${line} + ul`)
  test('one pastes a file and sees what was found below its line', async () => {
    await open({ script: false })
    await field().fill(file)
    await page.click('text="Check"')

    await says('2 warnings.')
    expect(await below(3)).toContain('unknown key "depht", read as "depth"')
    expect(await below(5)).toContain('unknown key "foo" here')
    expect(await page.textContent('#L3 mark')).toBe('depht')
    expect(await page.textContent('#L5')).toContain('foo: <b>bar</b>')
    expect(await field().inputValue()).toBe(file)
    expect(await isWide(page)).toBe(false)
    expect(complaints).toEqual([])
  })

  test('one has it mended, and reads why', async () => {
    await open({ script: false })
    await field().fill(file)
    await page.click('text="Check"')
    await page.click('text=Fix: write "depth"')
    await says('Fixed: write "depth". 1 warning.')
    expect(await field().inputValue()).toBe(file.replace('depht', 'depth'))

    await page.click('text="unknown_key"')
    expect(await page.textContent('h1')).toBe('unknown_key')
  })

  test('with a script it is checked while one types', async () => {
    await open({ script: true })
    await field().fill(file)
    await says('2 warnings.')
    expect(await below(3)).toContain('unknown key "depht"')
    expect(await page.textContent('#made')).toContain('1 job')

    await field().fill(file.replace('depht', 'depth').replace('ruby', '[ruby'))
    await says('This file cannot be used.')
    expect(await below(2)).toContain('syntax error:')
    expect(await page.textContent('#made')).toBe('')

    // The event belongs to what is asked as well.
    await field().fill('script: make\nif: branch = main\n')
    await says('No findings')
    await page.getByLabel('Event').selectOption('push')
    await page.getByLabel('Branch').fill('dev')
    await page.locator('#made', { hasText: 'branch was "dev"' }).waitFor()
    expect(page.url()).toBe(`${site.url}/lint`)
    expect(await isWide(page)).toBe(false)
    expect(complaints).toEqual([])
  })

  test('with a script a fix is a click as well', async () => {
    await open({ script: true })
    await field().fill(file)
    await page.click('text=Fix: write "depth"')
    await says('Fixed: write "depth".')
    expect(await field().inputValue()).toBe(file.replace('depht', 'depth'))
  })

  test('with a script a refusal is shown in place', async () => {
    await open({ script: true })
    await field().fill('x'.repeat(mostBytes + 1))
    await says('Too large – That is more than the service accepts at once.')
    expect(await field().inputValue()).toHaveLength(mostBytes + 1)
    // It can be made smaller.
    await field().fill('script: make\nfoo: bar')
    await says('1 warning.')
  })

  test('with a script the page reports that the service is unreachable', async () => {
    await open({ script: true })
    await page.route('**/lint/check', (route) => route.abort())
    await field().fill(file)
    await says('The service cannot be reached.')
    expect(await field().inputValue()).toBe(file)
    await page.unroute('**/lint/check')
    await field().fill('script: make\nfoo: bar')
    await says('1 warning.')
  })
})
