import { withoutMarkers } from '../domain/log/without-markers.ts'
import { isColoured } from './terminal.ts'

/**
 * Texts that control a terminal: sequences for the cursor or colours, for the system, short sequences, and
 * characters.
 */
const acting = new RegExp(
  [
    String.raw`\x1B\[[0-?]*[ -\/]*[@-~]`,
    String.raw`\x1B[P\]X\^_][^\x07\x1B]*(?:\x07|\x1B\\)`,
    String.raw`\x1B[ -\/]*[0-Z\\\^-~]`,
    String.raw`(?![\n\r\t])\p{Cc}`,
  ].join('|'),
  'gu',
)

/** Sequences that only set colours, or erase a line, as progress bars do. */
const harmless = new RegExp(String.raw`^\x1B\[[\d;:]*[mK]$`)

/**
 * A job's output for a terminal or a pipe. Unfiltered output could do more on a terminal: a sequence can
 * set its clipboard, or its title.
 */
export function shownLog(text: string): string {
  const keepsColours = isColoured(process.stdout)
  return withoutMarkers(text).replaceAll(acting, (found) =>
    keepsColours && harmless.test(found) ? found : '',
  )
}
