/**
 * The integer that a text in base 2, 8, 10, 16 or 60 means, or undefined. An integer too large to be
 * exact is returned as decimal digits.
 */
export function readInteger(text: string): number | string | undefined {
  const signed = text.charCodeAt(0) === 0x2b || text.charCodeAt(0) === 0x2d
  const from = signed ? 1 : 0
  const first = text.charCodeAt(from)
  if (!isDigit(first)) return undefined
  const negative = text.charCodeAt(0) === 0x2d
  if (text.length - from <= 15 && first !== 0x30) {
    const short = shortDecimal(text, from)
    if (short !== undefined) return negative ? -short : short
  }
  // Longer texts are not meant as numbers, and take long to convert.
  if (text.length > 64) return undefined
  return isLonger(text, from) ? readLong(text.slice(from), negative) : undefined
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** The common case: few enough digits to be exact, the first of them not 0. */
function shortDecimal(text: string, from: number): number | undefined {
  let value = 0
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!isDigit(code)) return undefined
    value = value * 10 + code - 0x30
  }
  return value
}

/** Whether the text has only characters that long forms consist of. */
function isLonger(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isDigit(code) || code === 0x5f || code === 0x2c || code === 0x3a) continue
    // `x` and `b` after the 0, or a hexadecimal digit.
    if (code === 0x78 || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)) continue
    return false
  }
  return true
}

const decimal = /^(?:0|[1-9]\d*(?:[_,]\d+)*)$/
const octal = /^0[_,]*[0-7][0-7_,]*$/
const binary = /^0b[_,]*[01][01_,]*$/
const hexadecimal = /^0x[_,]*[\da-fA-F][\da-fA-F_,]*$/
const sexagesimal = /^\d[\d_]*(?::[0-5]?\d){1,2}$/

function readLong(text: string, negative: boolean): number | string | undefined {
  if (decimal.test(text)) return exactly(withoutMarks(text), negative)
  if (octal.test(text)) return exactly(`0o${withoutMarks(text.slice(1))}`, negative)
  if (binary.test(text) || hexadecimal.test(text)) return exactly(withoutMarks(text), negative)
  if (!sexagesimal.test(text)) return undefined
  // Two parts are hours and minutes, too: 12:30 is 45000.
  const [a = 0, b = 0, c = 0] = text.split(':').map((part) => Number(withoutMarks(part)))
  const hours = negative ? -a : a
  return hours * 3600 + b * 60 + c
}

const withoutMarks = (text: string) => text.replaceAll(/[_,]/g, '')

function exactly(text: string, negative: boolean): number | string {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return negative && value !== 0 ? -value : value
  return `${negative ? '-' : ''}${BigInt(text)}`
}
