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
