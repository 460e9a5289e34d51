import { red, redText } from '../terminal/red-text.ts'

/** Most characters kept of a line, and of its text. */
const longestLine = 4000
const longest = 500

export interface RedReason {
  /** Looks at the next piece of a log. */
  see(text: string): void
  /** The last reason in the log. */
  last(): string | undefined
}

/**
 * Searches a log, which comes in pieces, for the red lines in which the service explains why a job ends.
 * A job can print such lines itself: their text is no more trustworthy than its log.
 */
export function createRedReason(): RedReason {
  let rest = ''
  let reason: string | undefined

  function take(line: string): void {
    const text = redText(line)
    if (text === undefined) return
    reason = text.length > longest ? `${text.slice(0, longest)}…` : text
  }

  return {
    see(text) {
      const seen = rest + text
      let end = 0
      for (;;) {
        const start = seen.indexOf(red, end)
        if (start === -1) {
          rest = seen.slice(Math.max(end, seen.length - red.length + 1))
          return
        }
        end = seen.indexOf('\n', start)
        if (end === -1) {
          rest = seen.slice(start, start + longestLine)
          return
        }
        take(seen.slice(start, end))
      }
    },
    last() {
      take(rest)
      return reason
    },
  }
}
