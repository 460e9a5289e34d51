import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { chromium, openBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { needs } from '../support/needs.ts'

const { db } = await ownDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

describe('in a browser', needs(chromium), () => {
  let browser: Browser
  let page: Page
  let url: string
  let token: string
  const complaints: string[] = []

  beforeAll(async () => {
    const member = await make.user('member')
    token = member.token
    await make.permission(member, await make.repository({ name: 'secret', private: true }))
    browser = await openBrowser()
    await server.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    page = await browser.newPage({
      viewport: { width: 360, height: 800 },
      javaScriptEnabled: false,
    })
    page.on('console', (message) => complaints.push(message.text()))
    page.on('request', (request) => asked.push(request.url()))
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  const asked: string[] = []
  const isWide = async () => {
    const wide = await page.$eval('html', (root) => [root.scrollWidth, root.clientWidth])
    return (wide[0] ?? 0) > (wide[1] ?? 0)
  }

  test('a visitor finds an action and tries it with a token, without JavaScript', async () => {
    await page.goto(`${url}/docs`)
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
