import { readFileSync } from 'node:fs'

/** The version of the running program. Read on demand: `lint` rarely needs it, and starts faster. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}
