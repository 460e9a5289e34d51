/**
 * The shape of a line: the rest when everything that differs between two green runs of a job is replaced by
 * `#`: times, dates, hashes, temporary paths, ports, sizes, percentages and numbers. Exit codes stay, and so does
 * a 0 beside a word for failing, so that `0 failed` and `2 failed` differ.
 */
export function lineShape(text: string): string {
  let line = text.trim()
  if (manyBlanks.test(line)) line = line.replaceAll(blanks, ' ')
  if (temporary.test(line)) line = line.replaceAll(temporaryPath, '#')
  if (!digit.test(line)) return line
  if (mayBeKept.test(line)) line = line.replaceAll(kept, hideDigits)
  if (month.test(line)) line = line.replaceAll(writtenDate, '#')
  if (line.includes('0x') || uuid.test(line)) line = line.replaceAll(addresses, '#')
  line = withoutNumbers(line)
  // Numbers in brackets are often padded.
  if (line.includes(' #')) line = line.replaceAll(padded, '$1#')
  // Tools leave out durations of less than a millisecond, and estimates that they cannot make.
  if (line.endsWith(' (#)')) return line.slice(0, -4)
  return line.endsWith(', estimated #') ? line.slice(0, -13) : line
}

/**
 * Replaces numbers with their units, and hashes. A number that follows a letter is part of a name, such as E0308,
 * and stays. Written by hand, because the equivalent expression takes three times as long.
 */
function withoutNumbers(line: string): string {
  let shape = ''
  let kept = 0
  let word = -1
  let at = 0
  while (at < line.length) {
    const code = line.charCodeAt(at)
    if (!isDigit(code)) {
      if (!isLetter(code)) word = -1
      else if (word === -1) word = at
      at += 1
      continue
    }
    const start = word === -1 ? at : word
    const end = hashEnd(line, start)
    if (end > 0) {
      shape += `${line.slice(kept, start)}#`
      kept = end
      at = end
      word = -1
      continue
    }
    if (word !== -1) {
      at += 1
      continue
    }
    shape += `${line.slice(kept, at)}#`
    at = numberEnd(line, at)
    kept = at
  }
  return kept === 0 ? line : shape + line.slice(kept)
}

/**
 * The end of a hash that begins here: 7 to 64 hexadecimal digits with a letter and a digit, all in lower or all in
 * upper case; 0 if there is none.
 */
function hashEnd(line: string, start: number): number {
  let at = start
  let lower = 0
  let upper = 0
  for (; at < line.length && at - start <= longestHash; at += 1) {
    const code = line.charCodeAt(at)
    if (code >= 97 && code <= 102) lower += 1
    else if (code >= 65 && code <= 70) upper += 1
    else if (!isDigit(code)) break
  }
  if (lower > 0 && upper > 0) return 0
  const letters = lower + upper
  const length = at - start
  if (length < shortestHash || length > longestHash || letters === 0 || letters === length) return 0
  return at < line.length && isLetter(line.charCodeAt(at)) ? 0 : at
}

const shortestHash = 7
const longestHash = 64

/** The end of a number, with the numbers of a date, time or fraction and the unit behind it. */
function numberEnd(line: string, start: number): number {
  let at = start
  for (;;) {
    while (isDigit(line.charCodeAt(at))) at += 1
    if (!isJoint(line.charCodeAt(at)) || !isDigit(line.charCodeAt(at + 1))) break
    at += 1
  }
  if (at === line.length) return at
  unit.lastIndex = at
  return unit.test(line) ? unit.lastIndex : at
}

/** The characters , - . / : and T, which join numbers. */
const isJoint = (code: number) => (code >= 44 && code <= 47) || code === 58 || code === 84
const isDigit = (code: number) => code >= 48 && code <= 57
const isLetter = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 0xe0_00

/** 48 bits of a shape, as a number. */
export function shapeHash(shape: string): number {
  let low = 0x81_1c_9d_c5
  let high = 0x01_00_01_93
  for (let at = 0; at < shape.length; at += 1) {
    const code = shape.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01_00_01_93)
    high = Math.imul(high ^ code, 0x85_eb_ca_6b) ^ (high >>> 13)
  }
  return (low >>> 0) + ((high ^ (low >>> 7)) & 0xff_ff) * 0x1_00_00_00_00
}

// Each expression is short, and begins with what is rare: one for everything takes five times as long.
const digit = /\d/
const manyBlanks = /\t| {2}/
const blanks = /[ \t]+/g

const temporary = /\/(?:tmp|folders)\//
const temporaryPath = /(?:\/private)?(?:\/var)?\/(?:tmp|folders)\/[^\s:;,'"()[\]<>]+/g

const failing = 'fail(?:ed|ures?|ing)?|errors?|problems?|broken|timed out'
const mayBeKept = /exit|code|status|returned|HTTP|\b0\b/
const kept = new RegExp(
  [
    String.raw`\b(?:exit|exited|exit code|exited with|code|status|returned)(?: code| status)?[ :=]{1,2}\d+`,
    String.raw`\bHTTP(?:\/[\d.]+)? \d{3}\b`,
    String.raw`\b0 (?:${failing})\b`,
    String.raw`\b(?:${failing})[ :=]{1,2}0\b(?!\.)`,
  ].join('|'),
  'gi',
)
/** Digits to keep are replaced by other characters, which no later rule changes. */
const hideDigits = (found: string) =>
  found.replaceAll(/\d/g, (each) => String.fromCodePoint(0xe0_00 + Number(each)))

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const month = new RegExp(`\\b(?:${months})`)
const writtenDate = new RegExp(
  String.raw`(?:\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:\b\d{1,2} )?\b(?:${months})[a-z]{0,6} \d{1,4}(?:,? \d{4})?`,
  'g',
)

/** UUIDs, and addresses of memory. */
const uuid = /-[\dA-Fa-f]{12}\b/
const addresses =
  /\b(?:0x[\dA-Fa-f]+|[\dA-Fa-f]{8}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{12})\b/g

const units =
  '[kKMGT]i?B(?:/s)?|bytes?|B|kb|mb|gb|ms|µs|us|ns|s|m|h|d|min|secs?|mins|seconds?|minutes?|hours?|days?'
const unit = new RegExp(`Z\\b| ?%| ?(?:${units})\\b`, 'y')
const padded = /([[(]) #/g
