/**
 * The variables that a text such as `A=1 B="x y"` defines; the values are kept as written. Undefined
 * where it cannot be read. An unquoted `$(` or `${` swallows the rest of the text.
 */
export function readDefinitions(text: string): ReadonlyMap<string, string> | undefined {
  const definitions = new Map<string, string>()
  const trimmed = text.trim()
  let at = 0
  while (at < trimmed.length) {
    const definition = definitionAt(trimmed, at)
    if (!definition) return undefined
    definitions.set(definition.name, definition.value)
    at = afterBlanks(trimmed, definition.end)
  }
  return definitions
}

interface Definition {
  name: string
  value: string
  end: number
}

function definitionAt(text: string, start: number): Definition | undefined {
  const quoted = quotedAt(text, start)
  if (quoted) return quoted
  const end = takeWhile(nameLetters, text, start)
  const name = text.slice(start, end)
  if (name === '') return undefined
  if (text.charAt(end) !== '=') return { name, value: '', end }
  const valueEnd = endOfValue(text, end + 1)
  if (valueEnd === undefined) return undefined
  return { name, value: text.slice(end + 1, valueEnd), end: valueEnd }
}

/** A whole definition in double quotes; what follows it within them is lost. */
function quotedAt(text: string, start: number): Definition | undefined {
  if (text.charAt(start) !== '"') return undefined
  const end = endOfQuoted(text, start)
  if (end === undefined || !/^(?:\s|$)/.test(text.charAt(end))) return undefined
  const inside = text.slice(start + 1, end - 1)
  const definition = inside.startsWith('"') ? undefined : definitionAt(inside, 0)
  return definition && { ...definition, end }
}

/** Undefined where a quote is left open. */
function endOfValue(text: string, start: number): number | undefined {
  let at: number | undefined = start
  while (at !== undefined && at < text.length) {
    const character = text.charAt(at)
    if (text.startsWith('$(', at) || text.startsWith('${', at)) return text.length
    if (isBlank(character)) return at
    if (character === '"') at = endOfQuoted(text, at)
    else if (character === "'" || character === '`') at = afterNext(character, text, at + 1)
    else at += character === '\\' ? 2 : 1
  }
  return at === undefined ? undefined : Math.min(at, text.length)
}

const isBlank = (character: string) => /^\s/.test(character)

/** A command in `$(…)` has quotes of its own. */
function endOfQuoted(text: string, start: number): number | undefined {
  const lastClosing = text.lastIndexOf(')')
  let at = start + 1
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '"') return at + 1
    if (character === '\\') at += 2
    else if (at < lastClosing && text.startsWith('$(', at)) at = text.indexOf(')', at) + 1
    else at += 1
  }
  return undefined
}

function afterNext(character: string, text: string, from: number): number | undefined {
  const at = text.indexOf(character, from)
  return at < 0 ? undefined : at + 1
}

const nameLetters = /[^\s=]*/y
const blanks = /\s*/y

const afterBlanks = (text: string, from: number) => takeWhile(blanks, text, from)

function takeWhile(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.exec(text)
  return pattern.lastIndex
}
