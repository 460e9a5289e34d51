import { readFileSync } from 'node:fs'

/** The version of the program that runs. Read when it is asked for: `lint` hardly ever does, and starts sooner. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}
