import { blockNotIndented, tabIndents } from './mistakes.ts'
import { problem } from './problem.ts'
import { afterBlanks } from './scan.ts'
import type { Token } from './token.ts'

interface Header {
  folded: boolean
  /** How many of the last line breaks are kept: one, all, or none. */
  chomp: 'clip' | 'keep' | 'strip'
  /** The digit in the header, or 0. */
  indent: number
}

/** The token of a block, its lines, and the text that contains it. */
interface Block {
  token: Token
  bodyStart: number
  lines: readonly string[]
  text: string
}

/**
 * The value of a literal or folded block. `indent` is the column of the enclosing collection, -1 at the
 * root.
 */
export function blockScalar(text: string, token: Token, indent: number): string {
  const header = readHeader(token)
  const { start: bodyStart, end: bodyEnd } = token.body ?? token
  const lines = text.slice(bodyStart, bodyEnd).split(/\r?\n/)
  const block: Block = { token, bodyStart, lines, text }
  const width = header.indent > 0 ? Math.max(indent, 0) + header.indent : widthOf(block, indent)
  const contents = lines.map((line, index) => {
    const indented = afterBlanks(line, 0)
    if (indented < width && indented < line.length) throw notIndented(block, index)
    return line.slice(Math.min(width, indented))
  })
  const last = contents.findLastIndex((line) => line !== '')
  const value = header.folded
    ? fold(contents.slice(0, last + 1))
    : contents.slice(0, last + 1).join('\n')
  if (header.chomp === 'strip') return value
  // The last piece of the split is the text after the last line break.
  const breaks = lines.length - 1 - Math.max(last, 0)
  if (header.chomp === 'keep') return value + '\n'.repeat(Math.max(breaks, last === -1 ? 0 : 1))
  return last !== -1 && breaks > 0 ? `${value}\n` : value
}

function readHeader({ source, start }: Token): Header {
  const [, indicator, before = '', digit = '', after = ''] =
    /^([|>])([-+]?)([1-9]?)([-+]?)$/.exec(source) ?? []
  if (!indicator || (before && after)) {
    throw problem(
      start,
      `"${source}" does not start a block of text.`,
      'Write "|" or ">" for a text of several lines, with "-" after it to drop the last line ' +
        'break; put quotes around a value that starts with this character.',
    )
  }
  const chomp = before || after
  return {
    folded: indicator === '>',
    chomp: chomp === '-' ? 'strip' : chomp === '+' ? 'keep' : 'clip',
    indent: Number(digit),
  }
}

/** The indentation of the first line that is not empty. */
function widthOf(block: Block, indent: number): number {
  let deepest = 0
  for (const [index, line] of block.lines.entries()) {
    const width = afterBlanks(line, 0)
    if (width < line.length) {
      if (width <= indent) throw notIndented(block, index)
      if (width < deepest) throw unevenStart(block.token)
      return width
    }
    deepest = Math.max(deepest, width)
  }
  return Infinity
}

/** Lines that are not indented enough are mostly in a block because tabs indent them. */
function notIndented({ text, bodyStart, lines }: Block, index: number) {
  let at = bodyStart
  for (let line = 0; line < index; line += 1) at = text.indexOf('\n', at) + 1
  at += afterBlanks(lines[index] ?? '', 0)
  if (text.charAt(at) === '\t') return tabIndents({ start: at })
  return blockNotIndented(at)
}

function unevenStart({ start }: Token) {
  return problem(
    start,
    'The empty lines at the start of this block of text are indented further than its first line.',
    'Remove the white space in the empty lines.',
  )
}

/** Joins lines; lines that are empty or indented further keep their breaks. */
function fold(lines: readonly string[]): string {
  let text = ''
  let breaks = 0
  let joinable = false
  for (const [index, line] of lines.entries()) {
    if (line === '') {
      breaks += 1
      continue
    }
    const more = line.startsWith(' ') || line.startsWith('\t')
    if (index === breaks) text += '\n'.repeat(breaks)
    else if (joinable && !more) text += breaks === 0 ? ' ' : '\n'.repeat(breaks)
    else text += '\n'.repeat(breaks + 1)
    text += line
    joinable = !more
    breaks = 0
  }
  return text
}
