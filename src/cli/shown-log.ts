import { withoutMarkers } from '../terminal/without-markers.ts'
import { isColoured } from './terminal.ts'

/** Control sequences: of a cursor or a colour, of the system (as long as they like), and short ones. */
const sequences = new RegExp(
  [
    String.raw`\x1B\[[0-?]*[ -/]*[@-~]`,
    String.raw`\x1B[P\]X^_][^\x07\x1B]*(?:\x07|\x1B\\)`,
    String.raw`\x1B[ -/]*[0-Z\\^-~]`,
  ].join('|'),
  'g',
)

/** Of those, the colours, and what erases a line, as a bar of progress does. */
const harmless = new RegExp(String.raw`^\x1B\[[\d;:]*[mK]$`)

/** All that may act on a terminal, but for line feed, carriage return and tab. */
const controls = /(?![\n\r\t])\p{Cc}/gu

/**
 * A job's output as it is shown on a terminal or in a pipe. A terminal would do more than show it: a
 * sequence can set its clipboard, or its title.
 */
export function shownLog(text: string): string {
  const keepsColours = isColoured(process.stdout)
  let shown = ''
  let from = 0
  const shownText = withoutMarkers(text)
  for (const { 0: sequence, index } of shownText.matchAll(sequences)) {
    shown += shownText.slice(from, index).replaceAll(controls, '')
    if (keepsColours && harmless.test(sequence)) shown += sequence
    from = index + sequence.length
  }
  return shown + shownText.slice(from).replaceAll(controls, '')
}
