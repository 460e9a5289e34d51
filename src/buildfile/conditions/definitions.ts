/** A definition all in double quotes, which are then no part of it. */
const quoted = /^"([^\s="]+)(?:=((?:\\.|[^"\\])*))?"(?!\S)/s
/** An unquoted `$(` or `${` takes all the rest, as it always did. */
const plain =
  /^([^\s=]+)(?:=((?:"(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|\$[({].*|\\.|[^\s"'`\\])*))?(?!\S)/s

/**
 * The variables that a text like `A=1 B="two words"` defines, quotes included (build file, section
 * 9); none where it cannot be read.
 */
export function readDefinitions(text: string): Map<string, string> {
  const found = new Map<string, string>()
  let rest = text.trim()
  while (rest !== '') {
    const definition = quoted.exec(rest) ?? plain.exec(rest)
    if (!definition) return new Map()
    const [whole, name = '', value = ''] = definition
    found.set(name, value)
    rest = rest.slice(whole.length).trimStart()
  }
  return found
}
