import { visible } from '../../domain/text/escape-control-characters.ts'

const widest = 48

/**
 * Heads and rows as lines of a table, without empty columns. Cells are escaped for terminals; long cells
 * are cut, except in the last column, which holds sentences.
 */
export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const last = heads.length - 1
  const cells = [heads, ...rows].map((row) =>
    row.map((text, column) => (column === last ? visible(text) : cut(visible(text)))),
  )
  const used = heads.map((_head, column) => cells.slice(1).some((row) => row[column] !== ''))
  const widths = heads.map((_head, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  )
  return cells.map((row) =>
    row
      .map((text, column) => text + ' '.repeat((widths[column] ?? 0) - widthOf(text)))
      .filter((_text, column) => used[column])
      .join('  ')
      .trimEnd(),
  )
}

function cut(text: string): string {
  return widthOf(text) > widest
    ? `${Array.from(text)
        .slice(0, widest - 1)
        .join('')}…`
    : text
}

/** Columns on a terminal, counting each character as one. */
function widthOf(text: string): number {
  return Array.from(text).length
}
