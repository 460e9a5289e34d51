import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where this machine has a browser that tests can drive, if it has one. */
export const browserPath = places.find((place) => existsSync(place))

/** Opens it without anything that would call home. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
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
