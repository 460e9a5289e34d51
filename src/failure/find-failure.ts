import {
  type Failure,
  type FailureBasis,
  type FailureLine,
  linesAround,
  mostFailureLines,
} from '../domain/failure/failure.ts'
import { shortened } from '../domain/text/shortened.ts'
import { kindOfExit, kindOfLine } from './proven-kind.ts'
import { type RankedLine, rankLines } from './rank-lines.ts'
import type { LoggedCommand, OutputLine, ReadLog } from './read-log.ts'
import { hashOfLine, type Shapes } from './shapes.ts'

/** What a log shows of a failure; only the caller knows the runs that it was compared with. */
export type FoundFailure = Omit<Failure, 'compared'>

/**
 * Finds the lines of a failed job's log that name the cause: those that none of the green runs has, or, without
 * green runs, those that look like the first error of a tool.
 */
export function findFailure(log: ReadLog, green: readonly Shapes[]): FoundFailure {
  const failing = failingCommand(log.commands)
  const scope = linesUntil(log.lines, failing)
  const { basis, lines } = causes(log, scope, { green, failing })
  const command = log.commands[failing]
  const exit_code = command?.exit_code ?? null
  const kind = lines.map(({ text }) => kindOfLine(text, exit_code)).find((each) => each !== null)
  return {
    basis,
    kind: basis === 'limit' ? kindOfLimit(lines) : (kind ?? kindOfExit(exit_code)),
    command: command ? shortened(command.text, longestShown) : null,
    phase: command?.phase ?? null,
    exit_code,
    lines: lines.map((line) => withLinesAround(line, log)),
  }
}

const longestShown = 500

/** The first command that did not end with 0, else the last one, which did not end at all. */
function failingCommand(commands: readonly LoggedCommand[]): number {
  const first = commands.findIndex(({ exit_code }) => exit_code !== null && exit_code !== 0)
  if (first !== -1) return first
  return commands.findLastIndex(({ exit_code }) => exit_code === null)
}

function linesUntil(lines: readonly OutputLine[], failing: number): readonly OutputLine[] {
  if (failing === -1) return lines
  const end = lines.findIndex(({ command }) => command > failing)
  return end === -1 ? lines : lines.slice(0, end)
}

interface Comparison {
  green: readonly Shapes[]
  failing: number
}

interface Causes {
  basis: FailureBasis
  lines: readonly OutputLine[]
}

function causes(log: ReadLog, scope: readonly OutputLine[], comparison: Comparison): Causes {
  const { green, failing } = comparison
  const ofLimit = saidOfEnd(log, failing)
  const rank = (lines: readonly OutputLine[]) =>
    rankLines(lines, failing).slice(0, mostFailureLines - ofLimit.length)
  if (green.length > 0) {
    const hashes = scope.map(({ text }) => hashOfLine(text))
    const isKnown = (hash: number) => green.some((shapes) => shapes.has(hash))
    const fresh = scope.filter((_line, index) => !isKnown(hashes[index] ?? 0))
    const ranked = rank(fresh)
    if (ofLimit.length > 0) return { basis: 'limit', lines: [...ofLimit, ...ranked] }
    if (ranked.length > 0) return { basis: 'new', lines: ranked }
    const repeated = moreOften(scope, hashes, green)
    if (repeated) return { basis: 'more_often', lines: [repeated] }
    return { basis: 'nothing_new', lines: lastLines(scope, failing) }
  }
  const ranked = rankLines(scope, failing)
  const guessed = ranked
    .filter(({ looksWrong }) => looksWrong)
    .slice(0, mostFailureLines - ofLimit.length)
  const filling = (shown: readonly OutputLine[]) =>
    lastOf(ranked, failing, fewestGuessed - shown.length)
  if (ofLimit.length > 0) return { basis: 'limit', lines: [...ofLimit, ...guessed] }
  if (guessed.length > 0) return { basis: 'guess', lines: [...guessed, ...filling(guessed)] }
  const rest = log.endings.length > 0 ? log.endings.slice(-1) : lastLines(scope, failing)
  return { basis: 'nothing_new', lines: rest }
}

/** Lines that a guess has at least: words tell some causes only when they are compared with a green run. */
const fewestGuessed = 3

/** The last lines of the failing command that neither look wrong nor count as weak, in their order. */
function lastOf(ranked: readonly RankedLine[], failing: number, count: number): OutputLine[] {
  if (count <= 0) return []
  const own = ranked.filter(({ command, looksWrong }) => command === failing && !looksWrong)
  return own.toSorted((a, b) => a.number - b.number).slice(-count)
}

/**
 * What the service itself says of the end of the job, where that is the cause: a limit that the job reached, or why
 * no command could fail, because the job did not come to it.
 */
function saidOfEnd({ endings, commands }: ReadLog, failing: number): OutputLine[] {
  const ofLimit = endings.findLast(({ text }) => limits.some(({ says }) => says.test(text)))
  if (ofLimit) return [ofLimit]
  const last = endings.at(-1)
  return last && !commands[failing]?.exit_code ? [last] : []
}

/** The texts of the limits that the service sets, and what each of them proves. */
const limits: readonly { says: RegExp; kind: Failure['kind'] }[] = [
  { says: /^The job ran for |^The job printed nothing for /, kind: 'time' },
  { says: /^The command ".*" did not end within \d+ minutes/, kind: 'time' },
  { says: /^The job needed more memory /, kind: 'memory' },
  { says: /^A process of this job was probably ended because memory ran out/, kind: 'memory' },
  { says: /^The files of the job took more /, kind: 'disk' },
  { says: /^The job was ended by /, kind: 'killed' },
  { says: /^The log reached /, kind: null },
]

function kindOfLimit([line]: readonly OutputLine[]): Failure['kind'] {
  if (line === undefined) return null
  if (/ is not installed/.test(line.text)) return 'missing'
  return limits.find(({ says }) => says.test(line.text))?.kind ?? null
}

const fewest = 5
const factor = 3

/** The last line whose shape occurs five times here, and three times as often as in any green run. */
function moreOften(
  scope: readonly OutputLine[],
  hashes: readonly number[],
  green: readonly Shapes[],
): OutputLine | undefined {
  const counts = new Map<number, { count: number; last: OutputLine }>()
  for (const [index, line] of scope.entries()) {
    const hash = hashes[index] ?? 0
    const count = (counts.get(hash)?.count ?? 0) + 1
    counts.set(hash, { count, last: line })
  }
  let found: OutputLine | undefined
  for (const [hash, { count, last }] of counts) {
    const usual = Math.max(...green.map((shapes) => shapes.get(hash) ?? 0))
    if (count < fewest || count < usual * factor) continue
    if (!found || last.number > found.number) found = last
  }
  return found
}

function lastLines(scope: readonly OutputLine[], failing: number): readonly OutputLine[] {
  const own = failing === -1 ? scope : scope.filter(({ command }) => command === failing)
  return own.slice(-3)
}

function withLinesAround({ number, text }: OutputLine, { lines }: ReadLog): FailureLine {
  const at = firstFrom(lines, number)
  const isHere = lines[at]?.number === number
  const shown = (line: OutputLine) => shortened(line.text, longestShown)
  return {
    number,
    text: shortened(text, longestShown),
    before: lines.slice(Math.max(0, at - linesAround), at).map(shown),
    after: isHere ? lines.slice(at + 1, at + 1 + linesAround).map(shown) : [],
  }
}

/** The position of the first line with at least this number. */
function firstFrom(lines: readonly OutputLine[], number: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.number ?? Infinity) < number) low = middle + 1
    else high = middle
  }
  return low
}
