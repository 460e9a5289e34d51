import { afterUnit } from './unit.ts'

/** A command of a script line, with the operator that joins it to the next command. */
export interface Part {
  text: string
  /** The start of the command in the line. */
  start: number
  joint: '&&' | '||' | ';' | '&' | '|' | null
}

/** First words after which a line is more than a list of commands. */
const structure =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|coproc|!|\{|\}|\(\()(?=\s|$)|^[\w-]+\s*\(\)/

/** Characters that neither join commands nor begin a unit of several characters. */
const ordinary = /[^;&|\n<()[\\'`"#$]+/y

/** Longer lines are not written by people. */
const longest = 20_000

/**
 * Splits a script line into its commands. Undefined for a line that is more than a list of commands
 * (loops, functions, here documents), and for a line that a shell could not read.
 */
function shellParts(line: string): Part[] | undefined {
  if (line.length > longest) return undefined
  const parts: Part[] = []
  let from = 0
  for (let at = afterOrdinary(line, 0); at < line.length; at = afterOrdinary(line, at)) {
    const found = jointAt(line, at)
    if (found) {
      parts.push(partFrom(line, from, at, found.joint))
      at += found.length
      from = at
      continue
    }
    const next = afterUnit(line, at)
    if (next === undefined) return undefined
    at = next
  }
  parts.push(partFrom(line, from, line.length, null))
  const full = parts.filter(({ text }) => text !== '')
  return full.some(({ text }) => structure.test(text)) ? undefined : full
}

function afterOrdinary(line: string, at: number): number {
  ordinary.lastIndex = at
  return ordinary.test(line) ? ordinary.lastIndex : at
}

function partFrom(line: string, from: number, to: number, joint: Part['joint']): Part {
  const written = line.slice(from, to)
  const text = written.trim()
  return { text, start: from + written.indexOf(text), joint }
}

/** Splits lines by `shellParts`, each line once, because several rules need it; call through `once`. */
export function openSplitter(): (line: string) => readonly Part[] | undefined {
  const known = new Map<string, readonly Part[] | undefined>()
  return (line) => {
    if (!known.has(line)) known.set(line, shellParts(line))
    return known.get(line)
  }
}

/** The commands grouped into statements, in each of which only the last exit code counts. */
export function statements(parts: readonly Part[]): Part[][] {
  const all: Part[][] = [[]]
  for (const part of parts) {
    all.at(-1)?.push(part)
    if (part.joint === ';' || part.joint === '&') all.push([])
  }
  return all.filter((statement) => statement.length > 0)
}

function jointAt(line: string, at: number): { joint: Part['joint']; length: number } | undefined {
  const two = line.slice(at, at + 2)
  if (two === '&&' || two === '||') return { joint: two, length: 2 }
  if (two === '|&') return { joint: '|', length: 2 }
  if (two.startsWith('|')) return { joint: '|', length: 1 }
  if (/^[;\n]/.test(two)) return { joint: ';', length: 1 }
  // `>&`, `<&` and `&>` are redirections.
  const isTurn = two === '&>' || /[<>]/.test(line[at - 1] ?? '')
  return two.startsWith('&') && !isTurn ? { joint: '&', length: 1 } : undefined
}
