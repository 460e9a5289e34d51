import { continues, endsWord } from './scan.ts'

/**
 * The end of the plain scalar that starts here. `least` is the minimum indentation of its further lines;
 * in a flow collection, commas and brackets end the scalar.
 */
export function plainEnd(text: string, start: number, least: number, inFlow: boolean): number {
  let end = start
  for (let at = start; ;) {
    const code = text.charCodeAt(at)
    if (endsWord(code)) {
      at = afterSpace(text, at, least)
      if (at === -1 || text.charCodeAt(at) === 0x23) return end // a comment
      if (at === text.length) return end
      continue
    }
    if (code === 0x3a) {
      const next = text.charCodeAt(at + 1)
      if (endsWord(next) || (inFlow && isFlowSign(next))) return end
    } else if (inFlow && isFlowSign(code)) return end
    at += 1
    end = at
  }
}

/** The offset after white space; -1 if the line does not continue the scalar. */
function afterSpace(text: string, from: number, least: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!endsWord(code)) return at
    if (code === 0x0a && !continues(text, at + 1, least)) return -1
  }
  return text.length
}

/** One of `,[]{}`. */
const isFlowSign = (code: number) =>
  code === 0x2c || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d

/** Whether a word ends here in a flow collection; the name of an anchor ends so anywhere. */
export const endsInFlow = (code: number) => endsWord(code) || isFlowSign(code)

export interface Quoted {
  end: number
  closed: boolean
}

/** The end of the quoted scalar that starts here: after its quote, or before a document mark. */
export function quotedEnd(text: string, start: number): Quoted {
  const double = text.charCodeAt(start) === 0x22
  const close = double ? closingDouble(text, start) : closingSingle(text, start)
  if (close === -1) return { end: text.length, closed: false }
  const mark = text.slice(start, close).search(markOnLine)
  if (mark !== -1) return { end: start + mark, closed: false }
  return { end: close + 1, closed: true }
}

const markOnLine = /\n(?:---|\.\.\.)[ \t\r\n]/

function closingSingle(text: string, start: number): number {
  let at = text.indexOf("'", start + 1)
  while (at !== -1 && text.charCodeAt(at + 1) === 0x27) at = text.indexOf("'", at + 2)
  return at
}

function closingDouble(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === 0x5c) before -= 1
  return (at - before) % 2 === 1
}

/** The end of the name of an anchor or alias, whose sign is at `start`. */
export function nameEnd(text: string, start: number): number {
  let at = start
  while (!endsInFlow(text.charCodeAt(at))) at += 1
  return at
}

/** The end of the tag whose `!` is at `start`. */
export function tagEnd(text: string, start: number): number {
  if (text.charCodeAt(start + 1) === 0x3c) return afterMatch(longTag, text, start)
  for (let at = start; ; at += '%00'.length) {
    at = afterMatch(tagSigns, text, at)
    if (afterMatch(escaped, text, at) === at) return at
  }
}

const longTag = /!<[^ \t\r\n>]*>?/y
const tagSigns = /[\w\-#;/?:@&=+$.!~*'()]*/y
const escaped = /(?:%[\da-fA-F]{2})?/y

function afterMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}
