import { foundMarker, foldMarker, timeStartMarker } from '../domain/log/log-markers.ts'

const marker = foundMarker(String.raw`(?<version>\d+(?:\.\d+){0,3}(?:-[a-z]+)?)\r`)
/** Where the job's own program begins to look for tools, and where it runs the first line of a user. */
const [begin, end] = [foldMarker('end', 'system_info'), timeStartMarker('')]
const pattern = new RegExp(`${marker}|(?<end>${end})`)
const longest = Math.max(begin.length, foundMarker('').length + 40)

export interface FoundVersion {
  /** Looks at the next piece of a log. */
  see(text: string): void
  /** The version in the marker. */
  version(): string | undefined
}

/**
 * Looks in a log, which comes in pieces, for the marker of a version that was not asked for: where the
 * service prints it, before anything of the build file is run, which might print one as well.
 */
export function createFoundVersion(): FoundVersion {
  let rest = ''
  let stage: 'before' | 'within' | 'over' = 'before'
  let version: string | undefined
  return {
    see(text) {
      if (stage === 'over') return
      let seen = rest + text
      if (stage === 'before' && seen.includes(begin)) {
        stage = 'within'
        seen = seen.slice(seen.indexOf(begin) + begin.length)
      }
      const found = stage === 'within' ? pattern.exec(seen) : null
      if (found) {
        stage = 'over'
        version = found.groups?.version
      }
      rest = seen.slice(-longest)
    },
    version: () => version,
  }
}
