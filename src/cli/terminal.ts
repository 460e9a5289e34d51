import { stripVTControlCharacters } from 'node:util'

const colours = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2, bold: 1 } as const
type Colour = keyof typeof colours

/** Whether colours are wanted where this goes. */
export function isColoured({ isTTY }: { isTTY?: boolean }): boolean {
  return isTTY === true && process.env.NO_COLOR === undefined
}

export function paint(colour: Colour, text: string): string {
  return isColoured(process.stdout) ? `\u001B[${colours[colour]}m${text}\u001B[0m` : text
}

/** What a log's own markers look like; a page makes folds of them, a terminal has no use for them. */
// oxlint-disable-next-line no-control-regex
const markers = /service_(?:fold|time):[^\r\n]*\r(?:\u001B\[0K)?/g

/** A job's output as it is shown on a terminal or in a pipe. */
export function shownLog(text: string): string {
  const shown = text.replaceAll(markers, '')
  return isColoured(process.stdout) ? shown : stripVTControlCharacters(shown)
}
