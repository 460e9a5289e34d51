import type { OutputLine } from './read-log.ts'
import { beginsTraceback, isJavaCause, isPythonFrame, isStackFrame, weightOf } from './weights.ts'

export interface RankedLine extends OutputLine {
  /** Whether words of the line speak of an error. */
  looksWrong: boolean
}

interface Weighed extends OutputLine {
  weight: number
  /** Neighbouring lines share a block. */
  block: number
}

/** Lines that are weighed: from the beginning, where causes stand, and from the end. */
const mostFirst = 20_000
const mostLast = 5000
/** A line is near another when at most one line that is not a candidate is between them. */
const nearby = 2

/**
 * Orders lines of a failed log by how likely they name its cause: by their words, then in the log's order. Stack
 * frames are left out, and of lines that differ only in names and numbers the first counts. Of each block of
 * neighbouring lines the best comes first, the others after the best ones of all blocks.
 */
export function rankLines(lines: readonly OutputLine[], failing: number): RankedLine[] {
  const read =
    lines.length > mostFirst + mostLast
      ? [...lines.slice(0, mostFirst), ...lines.slice(-mostLast)]
      : lines
  const weighed = withoutFamilies(weigh(read, failing))
  const likely = weighed.filter(({ weight }) => weight >= 0)
  const chosen = likely.length > 0 ? likely : weighed
  const sorted = chosen.toSorted((a, b) => b.weight - a.weight || a.number - b.number)
  return byBlocks(sorted).map(({ weight, number, text, command }) => ({
    number,
    text,
    command,
    looksWrong: weight >= 1,
  }))
}

/** The weight added to the last line of a stack if the language prints the cause there. */
const rootBonus = 1.5

function weigh(lines: readonly OutputLine[], failing: number): Weighed[] {
  const weighed: Weighed[] = []
  const stack: { python: boolean; isSource: boolean } = { python: false, isSource: false }
  let block = 0
  let previous: OutputLine | undefined
  for (const line of lines) {
    if (previous && line.number - previous.number > nearby) block += 1
    previous = line
    const { text } = line
    if (beginsTraceback(text)) stack.python = true
    if (stack.isSource && /^\s/.test(text) && !isPythonFrame(text)) {
      // The source line below a Python frame, and its marks.
      stack.isSource = /^\s+[~^]+\s*$/.test(text) ? stack.isSource : !isMarks(text)
      continue
    }
    stack.isSource = false
    if (isStackFrame(text)) {
      stack.isSource = isPythonFrame(text) && stack.python
      continue
    }
    let weight = weightOf(text)
    if (stack.python && /^\S/.test(text) && !beginsTraceback(text)) {
      stack.python = false
      if (weight >= 0) weight += rootBonus
    }
    if (isJavaCause(text)) weight += rootBonus
    if (line.command !== failing) weight -= 0.5
    weighed.push({ ...line, weight, block })
  }
  return weighed
}

const isMarks = (text: string) => /^\s*[~^]+\s*$/.test(text)

/** Without lines of a family that an earlier line has shown. */
function withoutFamilies(lines: readonly Weighed[]): Weighed[] {
  const seen = new Set<string>()
  return lines.filter(({ text, weight }) => {
    const family = familyOf(text)
    // A ruler or a weak line must not stand for others.
    if (weight < 0) return true
    if (seen.has(family)) return false
    seen.add(family)
    return true
  })
}

/** A text without what it quotes, and without paths and numbers. */
function familyOf(text: string): string {
  return text
    .slice(0, longestFamily)
    .replaceAll(/"[^"]{0,200}"|'[^']{0,200}'|`[^`']{0,200}[`']|‘[^’]{0,200}’/g, '"')
    .replaceAll(/[\w.@~-]*\/[\w./@~-]+/g, '/')
    .replaceAll(/\d+/g, '#')
    .trim()
}

const longestFamily = 300

/** The best line of each block in the order given, then the other lines. */
function byBlocks(sorted: readonly Weighed[]): Weighed[] {
  const seen = new Set<number>()
  const first: Weighed[] = []
  const later: Weighed[] = []
  for (const line of sorted) {
    ;(seen.has(line.block) ? later : first).push(line)
    seen.add(line.block)
  }
  return [...first, ...later]
}
