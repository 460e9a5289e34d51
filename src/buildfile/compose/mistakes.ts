import { hintForComment, hintForLine, hintForQuotes, lineFrom } from './hints.ts'
import { problem } from './problem.ts'
import type { Token, Tokens } from './token.ts'

/** Mistakes in YAML that people make, and the problem reported for each. */

export function tabIndents({ start }: { start: number }) {
  return problem(start, 'A tab indents this line.', 'Indent with spaces only.')
}

export function indentedTooFar(tokens: Tokens) {
  const { text, current } = tokens
  const { start } = current
  return problem(
    start,
    'This line is indented further than the lines that it should be aligned with.',
    hintForComment(tokens) ??
      hintForLine(lineFrom(text, start)) ??
      'Start it in the same column as the other keys or entries of its part, or indent it ' +
        'further than all of them if it belongs to the value above.',
  )
}

/** Text follows a value that has ended, on the value's last line. */
export function textBehind(tokens: Tokens) {
  const { text, previous, current } = tokens
  const { start, kind } = current
  const { start: before } = previous
  const value = text.slice(before, previous.end)
  const spans = value.includes('\n')
  const quote = /^["']/.exec(value)?.[0]
  const colon = quote === undefined ? undefined : colonBeforeQuote(text, before, quote)
  if (colon !== undefined) return colonWithinQuotes(colon)
  if (quote !== undefined && spans) return quoteClosedLate(before, quote)
  if (quote !== undefined) return textBehindQuote(start, quote)
  if (kind !== ':') {
    return problem(
      start,
      'Something follows a value that has ended already.',
      'Put quotes around the whole value, or move the rest to a line of its own.',
    )
  }
  if (!spans) return colonInValue(tokens, before)
  if (isFirst(text, before)) return missingColon(tokens, before)
  return isBeside(text, before, start) ? missingColonAbove(before) : keyWithinValue(tokens)
}

/** The first key of an entry has no colon, as in `- env A=1`, above the other keys. */
function missingColonAbove(start: number) {
  return problem(
    start,
    'A colon is missing here: the keys of this entry start in the same column on the lines below.',
    'Write "key: value", with a colon and a space after the key.',
  )
}

/** The colon before a quote that closes a text, as in `echo "a: "`, where the colon ends a key. */
function colonBeforeQuote(text: string, at: number, quote: string): number | undefined {
  const before = text.slice(lineStart(text, at), at)
  const isWithin = before.split(quote).length % 2 === 0
  return isWithin && /:[ \t]+$/.test(before) ? text.lastIndexOf(':', at) : undefined
}

function colonWithinQuotes(start: number) {
  return problem(
    start,
    'This colon followed by a space makes a key of the text before it, although it is within quotes.',
    'Put the whole value in quotes that it does not contain.',
  )
}

function quoteClosedLate(start: number, quote: string) {
  return problem(
    start,
    `The quote (${quote}) that starts here is closed on a later line only, before more text.`,
    `Add ${quote} where the value ends. If it does go on over several lines, write this character ` +
      `within it as ${quote === '"' ? '\\"' : "''"}.`,
  )
}

function textBehindQuote(start: number, quote: string) {
  return problem(
    start,
    `Text follows the closing quote (${quote}) of this value.`,
    `Put quotes around the whole value, and write this character within them as ` +
      `${quote === '"' ? '\\"' : "''"}.`,
  )
}

function keyWithinValue({ text, current: { start } }: Tokens) {
  return problem(
    lineStart(text, start),
    'This line looks like a key, but it is indented so far that it goes on with the value above.',
    'Start it in the same column as the key above, or put quotes around the value.',
  )
}

/** The start of a line's text, after its indentation. */
function lineStart(text: string, at: number): number {
  let start = text.lastIndexOf('\n', at - 1) + 1
  while (start < at && /[ \t]/.test(text.charAt(start))) start += 1
  return start
}

const isFirst = (text: string, at: number) => lineStart(text, at) === at

/** Whether the line of a colon starts in the column of a value above, as keys of one map do. */
function isBeside(text: string, value: number, colon: number): boolean {
  const columnOf = (at: number) => at - text.lastIndexOf('\n', at - 1)
  return columnOf(value) === columnOf(lineStart(text, colon))
}

export function notAnEntry({ text, current: { start } }: Tokens) {
  return problem(
    start,
    'Entries with "- " and a line without it are in the same column.',
    hintForLine(lineFrom(text, start)) ??
      'Start this line with "- " if it is one more entry, or move it to the column of the key ' +
        'above the entries.',
  )
}

export function dashAmongKeys({ start }: Token) {
  return problem(
    start,
    'An entry that starts with "- " is in the column of the keys.',
    'Indent the entry below the key it belongs to, or give it a key.',
  )
}

export function dashBehindKey({ start }: Token) {
  return problem(
    start,
    'The first "- " of a list cannot be on the line of its key.',
    'Move it to the next line, or put quotes around the value if the dash is part of it.',
  )
}

export function colonInValue({ text, current: { start } }: Tokens, value: number) {
  return problem(
    start,
    'A value on the line of its key holds a colon followed by a space.',
    hintForQuotes(lineFrom(text, value)) ??
      'Put the whole value in quotes that it does not contain, or move the nested key to a line of its own, indented.',
  )
}

export function missingColon({ text }: Tokens, start: number) {
  const above = text.slice(0, start).trimEnd()
  if (header.test(above.slice(above.lastIndexOf('\n') + 1))) return blockNotIndented(start)
  return problem(
    start,
    'A key is expected here, but this line has no colon followed by a space.',
    hintForLine(lineFrom(text, start)) ??
      'Write "key: value". If the line goes on with the value above, indent it further.',
  )
}

/** The header of a literal or folded block, on the line of its key or entry. */
const header = /^(?!\s*#)(?:.*:\s)?\s*(?:-\s+)*(?:[&!]\S+\s+)*[|>][-+1-9]*(?:\s+#.*)?$/

export function blockNotIndented(start: number) {
  return problem(
    start,
    'A block of text starts on the line above, but this line is not indented.',
    'Indent the text further than its key.',
  )
}

function unclosedQuote({ text, current: { start, source } }: Tokens) {
  const quote = source.charAt(0)
  const colon = colonBeforeQuote(text, start, quote)
  if (colon !== undefined) return colonWithinQuotes(colon)
  return problem(
    start,
    `The quote (${quote}) that starts here is never closed.`,
    `Add the closing ${quote}. A text that only contains this character needs quotes of the other ` +
      'kind around it.',
  )
}

export function unclosedBracket(open: string, start: number) {
  const close = open === '[' ? ']' : '}'
  return problem(
    start,
    `The "${open}" that starts here is never closed.`,
    `Add "${close}" where it ends. A text that starts with "${open}" needs quotes around it.`,
  )
}

export function missingComma({ text, current, previous }: Tokens, open: string) {
  const { start, kind } = current
  const close = open === '[' ? ']' : '}'
  const joined = kind === ':' && text.slice(previous.start, start).includes('\n')
  return problem(
    joined ? lineStart(text, start) : start,
    `Within "${open}" a comma or "${close}" is expected before this.`,
    'Put a comma between two entries, and quotes around a text with commas, colons or brackets.',
  )
}

export function collectionAsKey(text: string, start: number) {
  if (text.charAt(start) === '{' && text.charAt(start - 1) === '{') {
    return problem(
      start - 1,
      'A text that starts with "{{" would be a map within a map.',
      'Put quotes around the whole value.',
    )
  }
  return problem(
    start,
    'A map or a list cannot be a key.',
    'Put quotes around a text that starts with a bracket.',
  )
}

export function aliasAsKey(start: number) {
  return problem(
    start,
    'An alias cannot be a key.',
    'Put quotes around a key that starts with "*"; to take over a whole map write "<<: *name".',
  )
}

export function propertiesTwice(start: number) {
  return problem(
    start,
    'This value has more than one anchor or tag, or an alias has one of its own.',
    'Leave one "&name" and one "!tag" before a value. A text that starts with "&", "!" or "*" ' +
      'needs quotes around it.',
  )
}

export function notAName({ start, source }: Token) {
  const sign = source.charAt(0)
  return problem(
    start,
    `"${sign}" at the start of a value must be followed by a name of letters and digits.`,
    source.endsWith(':')
      ? `Write the key first: "${source.slice(1)} ${source.slice(0, -1)}".`
      : `Put quotes around a text that starts with "${sign}".`,
  )
}

function missingKey({ start }: Token) {
  return problem(
    start,
    'There is no key before this colon.',
    'Write a key before it, or put quotes around a value that starts with a colon and a space.',
  )
}

export function controlCharacter(text: string, start: number) {
  const code = text.charCodeAt(start).toString(16).toUpperCase().padStart(4, '0')
  return problem(
    start,
    `An invisible control character (U+${code}) is here.`,
    'Remove it; within double quotes write it as an escape.',
  )
}

export function badDirective(start: number) {
  return problem(start, 'A line cannot start with "%".', 'Put quotes around the text.')
}

export function textBehindHeader(start: number, header: string) {
  return problem(
    start,
    `Nothing may follow "${header}" on its line.`,
    `"${header}" starts a text of several lines, which begins on the next line, indented. ` +
      'A value that itself starts with this character needs quotes around it.',
  )
}

/** The token at the cursor cannot start a value. */
export function unexpected(tokens: Tokens) {
  const { text, current } = tokens
  const { start, kind } = current
  if (kind === 'unclosed') return unclosedQuote(tokens)
  if (kind === '-') return dashBehindKey(current)
  if (kind === ':') return missingKey(current)
  if (kind === '...') return problem(start, 'The file ends before it begins.', 'Remove this line.')
  const character = text.charAt(start)
  if (character === '') {
    // After the last written character, not on a line that does not exist.
    return problem(
      text.trimEnd().length,
      'The file ends in the middle of a value.',
      'Add what closes it, or remove it.',
    )
  }
  return problem(
    start,
    `A value cannot start with "${character}".`,
    hintForLine(lineFrom(text, start)) ?? 'Put quotes around the value.',
  )
}
