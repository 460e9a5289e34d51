import { visible } from '../domain/text/escape-control-characters.ts'
import { withoutTokens } from '../domain/text/token-shapes.ts'

const longest = 60
/** Longer than a token whose beginning could be shown. */
const mostRead = 8192

/** Characters that stay as they are. */
const ordinary = /^[ !#-~]*$/

/** A value of a build file for use in a sentence: on one line, short, without secrets, quoted. */
export function quote(value: unknown): string {
  // Of a long value only the beginning is shown.
  const text = withoutTokens(plain(value).slice(0, mostRead))
  if (text.length <= longest && ordinary.test(text)) return `"${text}"`
  const short = text.length > longest ? `${text.slice(0, longest - 1)}…` : text
  return `"${visible(short).replaceAll('"', String.raw`\"`)}"`
}

/** A value of a build file without quotes; empty for an absent value. */
export function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
