import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { chromium, useBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { needs } from '../support/needs.ts'

const { db } = await ownDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

describe('in a browser', needs(chromium), () => {
  const site = useBrowser(server)
  let page: Page
  let token: string
  const complaints: string[] = []

  beforeAll(async () => {
    const member = await make.user('member')
    token = member.token
    await make.permission(member, await make.repository({ name: 'secret', private: true }))
    page = await site.browser.newPage({
      viewport: { width: 360, height: 800 },
      javaScriptEnabled: false,
    })
    page.on('console', (message) => complaints.push(message.text()))
    page.on('request', (request) => asked.push(request.url()))
  })

  const asked: string[] = []
  const isWide = async () => {
    const wide = await page.$eval('html', (root) => [root.scrollWidth, root.clientWidth])
    return (wide[0] ?? 0) > (wide[1] ?? 0)
  }

  test('a visitor finds an action and tries it with a token, without JavaScript', async () => {
    await page.goto(`${site.url}/docs`)
    await page.click('text="API V3"')
    expect(await page.textContent('h1')).toBe('API V3')
    expect(await isWide()).toBe(false)
    await page.getByRole('link', { name: 'repository', exact: true }).click()
    expect(await page.textContent('h1')).toBe('repository')
    expect(await isWide()).toBe(false)
    await page.getByRole('link', { name: 'find', exact: true }).click()
    expect(await page.textContent('h1')).toBe('repository: find')

    await page.getByLabel('repository.slug').fill('octavia/secret')
    await page.click('text="Get"')
    expect(await page.textContent('#answer')).toBe('Response: 404')

    await page.getByLabel('Token').fill(token)
    await page.click('text="Get"')
    expect(await page.textContent('#answer')).toBe('Response: 200')
    expect(await page.textContent('section')).toContain('GET /v3/repo/octavia%2Fsecret')
    expect(await page.textContent('section')).toContain('"slug": "octavia/secret"')
    expect(await page.getByLabel('repository.slug').inputValue()).toBe('octavia/secret')
    // The token is neither sent back nor part of any address.
    expect(await page.getByLabel('Token').inputValue()).toBe('')
    expect(await page.content()).not.toContain(token)
    expect(asked.filter((address) => address.includes(token))).toEqual([])
    expect(await isWide()).toBe(false)
    expect(complaints).toEqual([])
  })
})
