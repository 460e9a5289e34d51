import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Browser, chromium as driver, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Need } from './needs.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const browserPath = places.find((place) => existsSync(place))

/** A browser that tests can drive. */
export const chromium: Need = {
  tests: 'in a browser',
  missing: browserPath ? undefined : 'this machine has no Chromium',
}

/** Opens it without anything that would call home. Names of hosts can be led to this machine. */
export function openBrowser(names: readonly string[] = []): Promise<Browser> {
  const rules = names.map((name) => `MAP ${name} 127.0.0.1`)
  return driver.launch({
    ...(browserPath ? { executablePath: browserPath } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(',')}`]),
    ],
  })
}

interface Site {
  browser: Browser
  url: string
}

/** A browser, and the address of this server, from the first to the last test of a block. */
export function useBrowser(server: FastifyInstance): Site {
  const site = {} as Site
  beforeAll(async () => {
    site.browser = await openBrowser()
    await server.listen({ port: 0, host: '127.0.0.1' })
    site.url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await site.browser.close()
    await server.close()
  })
  return site
}

/** Whatever the browser complains of on a page from now on, such as a script that the policy stopped. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

/** Whether a page must be scrolled to the side. */
export const isWide = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
