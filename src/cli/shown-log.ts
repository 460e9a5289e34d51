import { withoutMarkers } from '../terminal/without-markers.ts'
import { isColoured } from './terminal.ts'

/** What may act on a terminal: sequences of a cursor or a colour, of the system, short ones, and characters. */
const acting = new RegExp(
  [
    String.raw`\x1B\[[0-?]*[ -\/]*[@-~]`,
    String.raw`\x1B[P\]X\^_][^\x07\x1B]*(?:\x07|\x1B\\)`,
    String.raw`\x1B[ -\/]*[0-Z\\\^-~]`,
    String.raw`(?![\n\r\t])\p{Cc}`,
  ].join('|'),
  'gu',
)

/** Of those, the colours, and what erases a line, as a bar of progress does. */
const harmless = new RegExp(String.raw`^\x1B\[[\d;:]*[mK]$`)

/**
 * A job's output as it is shown on a terminal or in a pipe. A terminal would do more than show it: a
 * sequence can set its clipboard, or its title.
 */
export function shownLog(text: string): string {
  const keepsColours = isColoured(process.stdout)
  return withoutMarkers(text).replaceAll(acting, (found) =>
    keepsColours && harmless.test(found) ? found : '',
  )
}
