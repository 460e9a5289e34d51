import type { DrawnStyle } from '../../src/terminal/drawn-style.ts'
import type { PaintedSpan } from '../../src/terminal/paint-line.ts'

/** A style in words: `on on-1 ink-7` is white on red; nothing for plain text. */
export function wordsOf({ colour, ground, faint, ...style }: DrawnStyle): string {
  const switches = { bold: style.bold, dim: faint, italic: style.italic }
  const lines = { underline: style.underline, strike: style.strike }
  return [
    ...(ground === null ? [] : ['on', `on-${ground}`]),
    ...(colour === null ? [] : [`ink-${colour}`]),
    ...Object.entries({ ...switches, ...lines }).flatMap(([name, set]) => (set ? [name] : [])),
  ].join(' ')
}

/** Spans as one text: `{ink-1:red} plain`. */
export function shown(spans: readonly PaintedSpan[]): string {
  return spans
    .map(({ text, style }) => (wordsOf(style) === '' ? text : `{${wordsOf(style)}:${text}}`))
    .join('')
}
