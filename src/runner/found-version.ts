import { clearLine, foundMarker, foldMarker, timeStartMarker } from '../domain/log/log-markers.ts'

const marker = foundMarker(String.raw`(?<version>\d+(?:\.\d+){0,3}(?:-[a-z]+)?)`)
/** Where the job's own program begins to look for tools, and where it runs the user's first line. */
const [begin, end] = [foldMarker('end', 'system_info'), timeStartMarker('')]
const pattern = new RegExp(`${marker}${clearLine.replace('[', String.raw`\[`)}|(?<end>${end})`)
const [prefix, longest] = [foundMarker(''), foundMarker('').length + 40]

export interface FoundVersion {
  /** Takes the next piece of a log, and returns the text to show. */
  take(text: string): string
  /** Returns the text that was held back. */
  end(): string
  /** The version in the marker. */
  version(): string | undefined
}

/**
 * Removes the marker of a version that was not requested from a log, which comes in pieces. Searches
 * only where the service prints it, before anything of the build file runs, which might print one.
 */
export function createFoundVersion(): FoundVersion {
  /** Text that was already shown (before the place) or is held back (within it). */
  let rest = ''
  let stage: 'before' | 'within' | 'over' = 'before'
  let version: string | undefined

  function find(text: string): string {
    const seen = rest + text
    const at = seen.indexOf(begin)
    rest = at === -1 ? seen.slice(-begin.length) : ''
    if (at === -1) return text
    stage = 'within'
    const within = seen.slice(at + begin.length)
    return text.slice(0, text.length - within.length) + takeOut(within)
  }

  function takeOut(text: string): string {
    const seen = rest + text
    const found = pattern.exec(seen)
    if (found) {
      stage = 'over'
      rest = ''
      version = found.groups?.version
      return version === undefined ? seen : seen.replace(found[0], '')
    }
    const from = heldFrom(seen)
    rest = seen.slice(from)
    return seen.slice(0, from)
  }

  return {
    take(text) {
      if (stage === 'over') return text
      return stage === 'before' ? find(text) : takeOut(text)
    },
    end() {
      const held = stage === 'within' ? rest : ''
      stage = 'over'
      return held
    },
    version: () => version,
  }
}

/** Where a marker that the next piece completes may have begun. */
function heldFrom(text: string): number {
  const begun = text.indexOf(prefix, Math.max(0, text.length - longest))
  if (begun !== -1) return begun
  const starts = [prefix, end]
  for (let at = Math.max(0, text.length - longest); at < text.length; at += 1) {
    if (starts.some((start) => start.startsWith(text.slice(at)))) return at
  }
  return text.length
}
