/**
 * The variables that a text such as `A=1 B="x y"` defines; the values are kept as written. Undefined
 * where it cannot be read. An unquoted `$(` or `${` swallows the rest of the text.
 */
export function readDefinitions(input: string): ReadonlyMap<string, string> | undefined {
  const definitions = new Map<string, string>()
  const text = trimmed(input)
  const source = { text, lastClosing: text.lastIndexOf(')') }
  let at = 0
  while (at < text.length) {
    const definition = definitionAt(source, at)
    if (!definition) return undefined
    definitions.set(definition.name, definition.value)
    at = endOf(blanks, text, definition.end)
  }
  return definitions
}

interface Scanned {
  text: string
  /** Offset of the last closing parenthesis, or -1. */
  lastClosing: number
}

interface Definition {
  name: string
  value: string
  end: number
}

function definitionAt(source: Scanned, start: number): Definition | undefined {
  const quoted = quotedAt(source, start)
  if (quoted) return quoted
  const { text } = source
  const end = endOf(nameLetters, text, start)
  const name = text.slice(start, end)
  if (name === '') return undefined
  if (text.charAt(end) !== '=') return { name, value: '', end }
  const valueEnd = endOfValue(source, end + 1)
  if (valueEnd === undefined) return undefined
  return { name, value: text.slice(end + 1, valueEnd), end: valueEnd }
}

/** A whole definition in double quotes; text after it within the quotes is lost. */
function quotedAt(source: Scanned, start: number): Definition | undefined {
  const { text } = source
  if (text.charAt(start) !== '"') return undefined
  const end = endOfQuoted(source, start)
  if (end === undefined || (end < text.length && !isBlank(text.charAt(end)))) return undefined
  const inside = text.slice(start + 1, end - 1)
  if (inside.startsWith('"')) return undefined
  const definition = definitionAt({ text: inside, lastClosing: inside.lastIndexOf(')') }, 0)
  return definition && { ...definition, end }
}

/** The end of the value; undefined if a quote is not closed. */
function endOfValue(source: Scanned, start: number): number | undefined {
  const { text } = source
  let at: number | undefined = start
  while (at !== undefined && at < text.length) {
    const character = text.charAt(at)
    if (text.startsWith('$(', at) || text.startsWith('${', at)) return text.length
    if (isBlank(character)) return at
    if (character === '"') at = endOfQuoted(source, at)
    else if (character === "'" || character === '`') at = afterNext(character, text, at + 1)
    else at += character === '\\' ? 2 : 1
  }
  return at === undefined ? undefined : Math.min(at, text.length)
}

/** A no-break space does not count as white space: it can be part of a name. */
const isBlank = (character: string) => character !== '' && ' \t\n\r\f\v'.includes(character)

function trimmed(text: string): string {
  let start = 0
  while (isBlank(text.charAt(start))) start += 1
  let end = text.length
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/**
 * A command in `$(…)` has its own quotes. After a backslash that escapes no quote, single quotes and
 * back-quotes count as they do outside.
 */
function endOfQuoted({ text, lastClosing }: Scanned, start: number): number | undefined {
  let at: number | undefined = start + 1
  let plain = true
  while (at !== undefined && at < text.length) {
    const character = text.charAt(at)
    if (character === '"') return at + 1
    if (character === '\\') {
      const escapes = isQuote(text.charAt(at + 1))
      plain &&= escapes
      at += escapes ? 2 : 1
    } else if (!plain && isQuote(character)) at = afterNext(character, text, at + 1)
    else if (at < lastClosing && text.startsWith('$(', at)) at = text.indexOf(')', at) + 1
    else at += 1
  }
  return undefined
}

const isQuote = (character: string) => character !== '' && `"'\``.includes(character)

function afterNext(character: string, text: string, from: number): number | undefined {
  const at = text.indexOf(character, from)
  return at < 0 ? undefined : at + 1
}

const nameLetters = /[^ \t\n\r\f\v=]*/y
const blanks = /[ \t\n\r\f\v]*/y

/** The end of the run of matching characters that starts here; the pattern is sticky. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.exec(text)
  return pattern.lastIndex
}
