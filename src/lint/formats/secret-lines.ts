import { namesSecret } from '../../buildfile/schema/secret-keys.ts'
import { secretVariableIn } from '../secret-conditions.ts'

// A match starts only at the beginning of a name, so that long lines are read in linear time.
const named = /(?<![\w.-])([\w.-]{1,100})["']?\s*[:=]\s*/g
/** Values that reveal no secret: none, a variable, or a comment. */
const harmless = /^(?:["']?\$\{?\w+\}?["']?)?\s*(?:#.*)?$/

/** The key of an encrypted value, which reveals nothing, and tells it from a value in plain text. */
const encrypted = /^\s*(?:-\s+)?secure:\s+/

/** Lines with stars instead of the text after a secret's name, also on deeper lines below it. */
export function hideNamed(lines: readonly string[], stars: (text: string) => string): string[] {
  let deeperThan: number | undefined
  return lines.map((line) => {
    const indent = line.search(/\S/)
    if (deeperThan !== undefined && (indent === -1 || indent > deeperThan)) {
      const key = encrypted.exec(line)?.[0] ?? ''
      return key + stars(line.slice(key.length))
    }
    deeperThan = undefined
    const start = valueStart(line)
    if (start === undefined) return withoutCondition(line, stars)
    deeperThan = line.search(/[^\s-]/)
    const value = line.slice(start)
    return harmless.test(value) ? line : line.slice(0, start) + stars(value)
  })
}

/** The start of the value of the first secret in a line. */
function valueStart(line: string): number | undefined {
  for (const match of line.matchAll(named)) {
    if (namesSecret(match[1] ?? '')) return match.index + match[0].length
  }
  return undefined
}

/** Hides a condition on a secret variable, except the variable. */
function withoutCondition(line: string, stars: (text: string) => string): string {
  const found = secretVariableIn(line)
  if (!found) return line
  const from = /^[\s-]*if\s*:\s*/.exec(line)?.[0].length ?? 0
  const [start = 0, end = start + found[0].length] = [found.index]
  const before = line.slice(from, start)
  return line.slice(0, from) + stars(before) + found[0] + stars(line.slice(end))
}
