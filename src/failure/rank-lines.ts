import { isMatcher } from '../domain/failure/failed-build.ts'
import type { OutputLine } from './read-log.ts'
import {
  beginsTraceback,
  endsOpen,
  hasMessage,
  isJavaCause,
  isPythonFrame,
  isStackFrame,
  marksTest,
  namesTest,
  reportsCommand,
  weightOf,
} from './weights.ts'

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
    looksWrong: weight >= wrong,
  }))
}

/** The weight added to the last line of a stack if the language prints the cause there. */
const rootBonus = 1.5

function weigh(lines: readonly OutputLine[], failing: number): Weighed[] {
  const weighed: Weighed[] = []
  const python: PythonStack = { traceback: null, frame: null }
  const announced: Announced = { weight: 0, lines: 0, names: 0 }
  let block = 0
  let previous: OutputLine | undefined
  for (const line of lines) {
    if (previous && line.number - previous.number > nearby) block += 1
    previous = line
    const { text } = line
    const root = followPython(python, text)
    if (root === null) continue
    let weight = weightOf(text)
    if (root && weight >= 0) weight += rootBonus
    if (isJavaCause(text)) weight += rootBonus
    weight = followAnnounced(announced, text, weight)
    if (line.command !== failing) weight -= 0.5
    const above = weighed.at(-1)
    if (reportsCommand(text) && above && line.number - above.number <= nearby) {
      if (above.weight >= 0 && above.weight < wrong) above.weight += wrong
    }
    weighed.push({ ...line, weight, block })
  }
  return weighed
}

/** A stack of Python: how far its beginning and its last frame are indented; null outside of one. */
interface PythonStack {
  traceback: number | null
  frame: number | null
}

/** Null for frames, of any language, and the source below those of Python; true for the line that ends a traceback. */
function followPython(stack: PythonStack, text: string): boolean | null {
  const bare = text.replace(pytestMark, '  ')
  const indent = bare.search(/\S/)
  if (stack.frame !== null && indent > stack.frame && !isPythonFrame(bare)) return null
  stack.frame = isPythonFrame(bare) ? indent : null
  if (isStackFrame(bare)) return null
  if (beginsTraceback(bare)) {
    stack.traceback = indent
    return false
  }
  if (stack.traceback === null || indent > stack.traceback) return false
  stack.traceback = null
  return true
}

const pytestMark = /^E {2}/

/** The message that is expected below a line that announces it. */
interface Announced {
  weight: number
  /** Lines among which it is expected. */
  lines: number
  /** Names of tests that were seen. */
  names: number
}

/**
 * Gives the message below an announcement its weight: it says more than `error during build:`, and nearly as much as
 * the name of its test. Of the names of tests the first counts most, as one cause may fail many. Marks in a list of
 * tests count less than the names above the messages.
 */
function followAnnounced(announced: Announced, text: string, weight: number): number {
  if (namesTest(text)) {
    if (weight >= wrong) expectMessage(announced, weight - 0.5)
    const isFirst = announced.names === 0 && !marksTest(text)
    if (!marksTest(text)) announced.names += 1
    return isFirst || weight <= wrong ? weight : weight - 1
  }
  if (announced.lines > 0) announced.lines -= 1
  const isMessage = announced.lines > 0 && weight >= 0 && !isMatcher(text)
  const own = isMessage ? Math.max(weight, announced.weight) : weight
  if (isMessage) announced.lines = 0
  if (own >= wrong && endsOpen(text))
    expectMessage(announced, hasMessage(text) ? own - 0.5 : own + 0.5)
  return own
}

function expectMessage(announced: Announced, weight: number): void {
  announced.weight = weight
  announced.lines = farthestMessage
}

const farthestMessage = 8
/** From this weight on, a line looks wrong. */
const wrong = 1

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

/**
 * A text without paths and numbers, and without what it quotes; but of `error: "not a number"` the quoted text is all
 * that it says.
 */
function familyOf(text: string): string {
  const named = text
    .slice(0, longestFamily)
    .replaceAll(/[\w.@~-]*\/[\w./@~-]+/g, '/')
    .replaceAll(/\d+/g, '#')
    .trim()
  const bare = named.replaceAll(quotes, '"')
  return words.test(bare) ? bare : named
}

const quotes = /"[^"]{0,200}"|'[^']{0,200}'|`[^`']{0,200}[`']|‘[^’]{0,200}’/g
/** At least two words. */
const words = /[A-Za-z]{2,}[^A-Za-z]+[A-Za-z]{2,}/
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
