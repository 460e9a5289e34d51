import { foundMarker } from '../domain/log/log-markers.ts'

const marker = new RegExp(foundMarker(String.raw`(?<version>\d[\w.-]{0,40})\r`))
const longest = foundMarker('').length + 42

export interface FoundVersion {
  /** Looks at the next piece of a log. */
  see(text: string): void
  /** The version in its first marker. */
  version(): string | undefined
}

/** Looks in a log, which comes in pieces, for the marker of a version that was not asked for. */
export function createFoundVersion(): FoundVersion {
  let rest = ''
  let version: string | undefined
  return {
    see(text) {
      if (version !== undefined) return
      const seen = rest + text
      version = marker.exec(seen)?.groups?.version
      rest = seen.slice(-longest)
    },
    version: () => version,
  }
}
