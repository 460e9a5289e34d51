import { beforeBlanks, foldLines } from './fold.ts'
import { problem } from './problem.ts'

/** The value of a text in single quotes; the source includes the quotes. */
export function singleQuoted(source: string): string {
  const text = foldLines(source.slice(1, -1))
  return text.includes("''") ? text.replaceAll("''", "'") : text
}

/** The value of a text in double quotes; the source includes the quotes and starts at this offset. */
export function doubleQuoted(source: string, start: number): string {
  const inside = source.slice(1, -1)
  if (!inside.includes('\\')) return foldLines(inside)
  return unescape(inside, start + 1)
}

function unescape(inside: string, start: number): string {
  let text = ''
  let from = 0
  for (;;) {
    const at = nextSpecial(inside, from)
    if (at === inside.length) return text + inside.slice(from)
    if (inside.charCodeAt(at) === backslash) {
      text += inside.slice(from, at)
      const escape = escapeAt(inside, at)
      const character = characterOf(escape)
      if (character === undefined) throw badEscape(escape, start + at)
      text += character
      from = at + escape.length
      // Empty lines after an escaped break are kept.
      if (character === '') text += inside.slice(at, from).replaceAll(/[^\n]/g, '').slice(1)
    } else {
      const next = afterBreaks(inside, at)
      text += inside.slice(from, beforeBlanks(inside, from, at)) + foldBreaks(inside, at, next)
      from = next
    }
  }
}

const backslash = 0x5c

/** The offset of the next backslash or line break, or the end. */
function nextSpecial(text: string, from: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash || code === 0x0a) break
  }
  return at
}

/** An escaped line break includes the white space at the start of the next line. */
const escapes = /\\(?:\r?\n[ \t\r\n]*|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^])?/y

function escapeAt(text: string, at: number): string {
  escapes.lastIndex = at
  return escapes.exec(text)?.[0] ?? ''
}

function characterOf(escape: string): string | undefined {
  const letter = escape.charAt(1)
  if (letter === '\n' || letter === '\r') return ''
  if (escape.length < 4) return simple.get(letter)
  const code = Number.parseInt(escape.slice(2), 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

function afterBreaks(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1
  return at
}

const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d)

function foldBreaks(text: string, from: number, to: number): string {
  const count = text.slice(from, to).split('\n').length - 1
  return count === 1 ? ' ' : '\n'.repeat(count - 1)
}

const simple: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
])

function badEscape(escape: string, at: number) {
  return problem(
    at,
    `"${escape}" means nothing within double quotes.`,
    'Write a backslash twice, or use single quotes, in which it is a character like any other.',
  )
}
