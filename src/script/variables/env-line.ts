export interface Definition {
  name: string
  /** As bash reads it, with quotes. */
  value: string
  /** Whether it is a name alone. */
  bare?: true
}

const blank = /\s/

/**
 * The definitions in a line of `env`: `A=1 B="x y" C=$(date) D=`. A name alone has the
 * empty value. Undefined when the line cannot be read, for example for an open quote.
 */
export function readEnvLine(line: string): Definition[] | undefined {
  const definitions: Definition[] = []
  let at = 0
  while (at < line.length) {
    if (blank.test(line.charAt(at))) {
      at += 1
      continue
    }
    const end = endOfWord(line, at)
    const definition = end === undefined ? undefined : definitionIn(line.slice(at, end))
    if (end === undefined || !definition) return undefined
    definitions.push(definition)
    at = end
  }
  return definitions
}

/**
 * The definitions of an encrypted line. Undefined unless all of it is `NAME=value`: names are shown, so
 * no part of a secret may be taken for one, such as the words of a pass phrase without quotes, or a key
 * in base64 that ends with `=`.
 */
export function readSecretLine(text: string): Definition[] | undefined {
  const definitions = readEnvLine(text.trim())
  const isSafe = definitions?.every(
    ({ name, value, bare }) => !bare && /^[A-Za-z_]\w*$/.test(name) && !/^=*$/.test(value),
  )
  return isSafe && definitions?.length ? definitions : undefined
}

function definitionIn(word: string): Definition | undefined {
  const isQuoted = /^"(?:[^"\\]|\\.)*"$/s.test(word)
  const text = isQuoted ? word.slice(1, -1).replaceAll(String.raw`\"`, '"') : word
  const [, name, value] = /^([^\s=]+)(?:=(.*))?$/s.exec(text) ?? []
  if (name === undefined) return undefined
  return value === undefined ? { name, value: '', bare: true } : { name, value: asWord(value) }
}

/** The value as one word of bash, which still expands its contents. */
export function asWord(value: string): string {
  if (value === '' || endOfWord(value, 0) === value.length) return value
  const inQuotes = value.replaceAll(/\\.|[\\"]/gs, (found) =>
    found.length === 2 ? found : `\\${found}`,
  )
  return `"${inQuotes}"`
}

/** Where the word that begins at `start` ends, or undefined when something in it stays open. */
function endOfWord(text: string, start: number): number | undefined {
  /** The closing characters of open quotes and substitutions. */
  const open: string[] = []
  let at = start
  while (at < text.length) {
    const inner = open.at(-1)
    const char = text.charAt(at)
    if (inner === undefined && blank.test(char)) return at
    const opened = char === inner ? undefined : openedBy(text, at, inner)
    if (char === inner) open.pop()
    if (opened) open.push(opened)
    const isPair = char === '$' ? opened !== undefined : char === '\\' && inner !== "'"
    at += isPair ? 2 : 1
  }
  return open.length === 0 ? Math.min(at, text.length) : undefined
}

/** The closing character of the part that begins here, inside a part that `inner` closes. */
function openedBy(text: string, at: number, inner: string | undefined): string | undefined {
  const char = text.charAt(at)
  if (inner === "'") return undefined
  if (char === '$') return { '(': ')', '{': '}' }[text.charAt(at + 1)]
  if (char === '(' && inner === ')') return ')'
  if (char === '{' && inner === '}') return '}'
  if (char === "'" && inner === '"') return undefined
  return char === '"' || char === "'" || char === '`' ? char : undefined
}
