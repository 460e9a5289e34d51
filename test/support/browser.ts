import { existsSync } from 'node:fs'
import { type Browser, chromium as driver } from 'playwright-core'
import type { Need } from './needs.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const browserPath = places.find((place) => existsSync(place))

/** A browser that tests can drive. */
export const chromium: Need = {
  tests: 'in a browser',
  missing: browserPath ? undefined : 'this machine has no Chromium',
}

/** Opens it without anything that would call home. */
export function openBrowser(): Promise<Browser> {
  return driver.launch({
    ...(browserPath ? { executablePath: browserPath } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
