import { type DrawnStyle, drawnStyle, isSameStyle, plainDrawn } from './drawn-style.ts'
import { controls, escapeSequences } from './escape-sequences.ts'
import { restyle, type TextStyle } from './text-style.ts'

/** A piece of text with one style. */
export interface PaintedSpan {
  text: string
  style: DrawnStyle
}

export interface PaintedLine {
  spans: PaintedSpan[]
  /** How the next line begins. */
  style: TextStyle
  /** Characters that did not fit. */
  cut: number
}

/** Longer lines are cut. Wide enough for what people read. */
export const maximumColumns = 10_000

const token = new RegExp(
  [...escapeSequences, `(?<control>[${controls}])`, `(?<text>[^${controls}]+)`].join('|'),
  'gu',
)
const anyControl = new RegExp(`[${controls}]`)

/** One row of a terminal: its cells, and the column that the next character goes to. */
interface Row {
  characters: string[]
  styles: DrawnStyle[]
  cursor: number
  /** Number of cells at the beginning that are known to be empty, and need not be emptied again. */
  empty: number
  cut: number
}

/**
 * Draws one line as a terminal would: colours, text that is written over after a carriage return,
 * erased text. Any other escape sequence is dropped. The line comes without its line break.
 */
export function paintLine(line: string, style: TextStyle): PaintedLine {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  if (!anyControl.test(text)) return paintPlain(text, style)

  const row: Row = { characters: [], styles: [], cursor: 0, empty: 0, cut: 0 }
  let current = style
  for (const { groups = {} } of text.matchAll(token)) {
    if (groups.text !== undefined) write(row, groups.text, drawnStyle(current))
    else if (groups.control !== undefined) move(row, groups.control)
    else if (groups.command === 'K') erase(row, groups.parameters ?? '')
    else if (groups.command === 'm' && isStandard(groups.parameters)) {
      current = restyle(current, groups.parameters ?? '')
    }
  }
  return { spans: spansOf(row), style: current, cut: row.cut }
}

function paintPlain(line: string, style: TextStyle): PaintedLine {
  const text = line.slice(0, maximumColumns)
  const spans = text === '' ? [] : [{ text, style: drawnStyle(style) }]
  return { spans, style, cut: line.length - text.length }
}

/** Whether parameters are standard; other beginnings belong to a terminal's own commands. */
function isStandard(parameters = ''): boolean {
  return !/^[<=>?]/.test(parameters)
}

function write(row: Row, text: string, style: DrawnStyle): void {
  row.empty = Math.min(row.empty, row.cursor)
  for (const character of text) {
    if (row.cursor >= maximumColumns) {
      row.cut += 1
      continue
    }
    row.characters[row.cursor] = character
    row.styles[row.cursor] = style
    row.cursor += 1
  }
}

function move(row: Row, control: string): void {
  if (control === '\r') row.cursor = 0
  if (control === '\b') row.cursor = Math.max(0, row.cursor - 1)
}

/** Erases to the end of the line, or up to the cursor (1), or all of it (2). */
function erase(row: Row, parameters: string): void {
  if (parameters === '1') {
    row.characters.fill(' ', row.empty, row.cursor)
    row.styles.fill(plainDrawn, row.empty, row.cursor)
    row.empty = Math.max(row.empty, row.cursor)
    return
  }
  if (parameters !== '' && parameters !== '0' && parameters !== '2') return
  // A terminal keeps the column here; programs that send this go back to the first one anyway.
  if (parameters === '2') row.cursor = 0
  row.characters.length = Math.min(row.characters.length, row.cursor)
  row.styles.length = row.characters.length
  row.empty = Math.min(row.empty, row.cursor)
  row.cut = 0
}

function spansOf({ characters, styles }: Row): PaintedSpan[] {
  const spans: PaintedSpan[] = []
  let from = 0
  for (let at = 1; at <= characters.length; at += 1) {
    const style = styles[from] ?? plainDrawn
    if (at < characters.length && isSameStyle(styles[at] ?? plainDrawn, style)) continue
    spans.push({ text: characters.slice(from, at).join(''), style })
    from = at
  }
  return spans
}
