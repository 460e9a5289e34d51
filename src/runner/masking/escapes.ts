import type { Escape } from './escape-reader.ts'

const percent: Escape = {
  lead: '%',
  begun: /^%[\da-f]?$/i,
  whole: /^%([\da-f]{2})/i,
  bytes: ([, code = '']) => [Number.parseInt(code, 16)],
}

/** Used in mails, which break lines where the text has no line break. */
const quotedPrintable: Escape = {
  lead: '=',
  begun: /^=(?:[\da-f]|\r)?$/i,
  whole: /^=(?:([\da-f]{2})|\r?\n)/i,
  bytes: ([, code]) => (code === undefined ? [] : [Number.parseInt(code, 16)]),
}

/** How a shell writes a single quote within single quotes. */
const quotes: Escape = {
  lead: "'",
  begun: /^'(?:\\'?|"'?"?)?$/,
  whole: /^'(?:\\'|"'")'/,
  bytes: () => [codeOf("'")],
  signs: "'",
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const entities: Escape = {
  lead: '&',
  begun: /^&(?:a(?:m?p?|po?s?)|lt?|gt?|q(?:uo?t?)?|#\d{0,7}|#x[\da-f]{0,6})?$/i,
  whole: /^&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/i,
  bytes([, name, decimal, hex = '']) {
    if (name !== undefined) return [codeOf(named[name.toLowerCase()] ?? '')]
    return bytesOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  },
}

const letters: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  e: 27,
  E: 27,
}

/** In JSON, in literals of programming languages, and before characters that are special to a shell. */
const backslashes: Escape = {
  lead: '\\',
  begun:
    /^\\(?:u[\da-f]{0,3}|ud[89ab][\da-f]{2}(?:\\(?:u(?:d(?:[c-f][\da-f]?)?)?)?)?|U[\da-f]{5,7}|x[\da-f]?|[0-3][0-7]?)?$/i,
  whole:
    /^\\(?:u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|x([\da-f]{2})|([0-3][0-7]{2})|([^ux0-3]))/i,
  bytes([, high, low, code, byte, octal, sign = '']) {
    if (high !== undefined && low !== undefined) {
      const units = [high, low].map((unit) => Number.parseInt(unit, 16))
      return [...Buffer.from(String.fromCharCode(...units))]
    }
    if (code !== undefined) return bytesOf(Number.parseInt(code, 16))
    if (byte !== undefined) return [Number.parseInt(byte, 16)]
    if (octal !== undefined) return [Number.parseInt(octal, 8)]
    return [letters[sign] ?? codeOf(sign)]
  },
}

export const usualEscapes: readonly Escape[] = [
  percent,
  { ...percent, plus: true },
  quotedPrintable,
  quotes,
  entities,
  backslashes,
]

function bytesOf(codePoint: number): number[] {
  return codePoint <= 0x10_ff_ff ? [...Buffer.from(String.fromCodePoint(codePoint))] : []
}

function codeOf(sign: string): number {
  return sign.charCodeAt(0)
}
