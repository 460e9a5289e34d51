import { markerPrefixes } from '../domain/log/log-markers.ts'
import { withoutMarkers } from '../domain/log/without-markers.ts'
import { plainLine } from './plain-line.ts'

/** A line of a job's output. */
export interface OutputLine {
  /** Number of the line in the log, counted from 1. */
  number: number
  text: string
  /** The command that printed it, by its position in `commands`; -1 for output between commands. */
  command: number
}

/** A command of the build file that the log shows. */
export interface LoggedCommand {
  /** As the log shows it: its first line. */
  text: string
  /** The phase of the job; null while it is unknown, because the command did not end. */
  phase: string | null
  /** Null for a command that did not end, or whose result does not count. */
  exit_code: number | null
}

export interface ReadLog {
  /** The output after the checkout, without lines that the service wrote; blank lines are left out. */
  lines: OutputLine[]
  commands: LoggedCommand[]
  /** What the service itself wrote in red at the end of the log: a limit that the job reached, for example. */
  endings: OutputLine[]
  /** What machine and programs said of their versions before the first command, by the line that asked. */
  versions: Record<string, string>
}

/** Lines that are kept of one log; of a longer one the beginning and the end. */
const mostLines = 300_000
const mostFirst = 200_000

/** Reads a log into the lines that its commands printed. The time it takes grows with the log's length only. */
export function readLog(log: string): ReadLog {
  const reading = newReading(log.includes(`${markerPrefixes.fold}end:git.checkout`))
  let number = 0
  for (let at = 0; at < log.length;) {
    const next = log.indexOf('\n', at)
    const end = next === -1 ? log.length : next
    number += 1
    readLine(reading, log.slice(at, end), number)
    at = end + 1
  }
  const { lines, commands, endings, asked } = reading
  return { lines, commands, endings, versions: Object.fromEntries(asked) }
}

interface Reading extends Omit<ReadLog, 'versions'> {
  /** The lines that ask for versions, and what was printed below them. */
  asked: Map<string, string>
  /** The line that asked last, while its answer is awaited. */
  asking: string | null
  /** Whether the checkout and everything above it is over. */
  begun: boolean
  /** The timer of the running command; null between commands. */
  timer: string | null
  /** Whether the line is inside of a fold about the machine. */
  folded: boolean
}

function newReading(hasCheckout: boolean): Reading {
  return {
    lines: [],
    commands: [],
    endings: [],
    begun: !hasCheckout,
    timer: null,
    folded: false,
    asked: new Map(),
    asking: null,
  }
}

function readLine(reading: Reading, raw: string, number: number): void {
  const marker = raw.indexOf('service_')
  if (marker === -1) return readText(reading, raw, { number, began: false })
  const first = raw.slice(marker).search(markers)
  if (first === -1) return readText(reading, raw, { number, began: false })
  // A command may end without a line end: its last output is before the marker.
  const at = marker + first
  if (at > 0) readText(reading, raw.slice(0, at), { number, began: false })
  const rest = raw.slice(at, at + longestMarked)
  const began = followMarkers(reading, rest)
  readText(reading, withoutMarkers(rest), { number, began })
}

interface LinePart {
  number: number
  /** Whether a command begins with it. */
  began: boolean
}

function readText(reading: Reading, raw: string, { number, began }: LinePart): void {
  if (!reading.begun) return
  const text = plainLine(raw)
  if (text.trim() === '') return
  if (began) {
    reading.commands.push({ text: text.slice(prompt.length), phase: null, exit_code: null })
    return
  }
  if (reading.timer !== null) {
    // If a command ended the shell, or was ended itself, its output is mixed with lines of the service.
    if (isOwn(reading, raw, text, number)) return
    keepLine(reading, { number, text, command: reading.commands.length - 1 })
    return
  }
  if (reading.folded) return noteMachine(reading, text)
  if (noteVersion(reading, text) || isFrame(text)) return
  if (isOwn(reading, raw, text, number)) return
  keepLine(reading, { number, text, command: -1 })
}

function keepLine({ lines }: Reading, line: OutputLine): void {
  if (lines.length >= mostLines) lines.splice(mostFirst, (mostLines - mostFirst) / 2)
  lines.push(line)
}

/** Notes the output about the machine before the first command. */
function noteMachine({ asked, commands }: Reading, text: string): void {
  const [, name, version] = ofMachine.exec(text) ?? []
  if (name === undefined || version === undefined || commands.length > 0) return
  asked.set(name, version.slice(0, longestVersion))
}

/** Notes what a program says of its version, below the line `$ node --version`, before the first command. */
function noteVersion(reading: Reading, text: string): boolean {
  const { asking, asked } = reading
  reading.asking = asksVersion.test(text) ? text.slice(prompt.length) : null
  if (asking === null || reading.asking !== null || reading.commands.length > 0) return false
  if (text.startsWith(prompt) || asked.size >= mostAsked) return false
  asked.set(asking, text.slice(0, longestVersion))
  return true
}

const asksVersion = /^\$ \S{1,40} (?:-{1,2}version|-V|-v|version)$/
const ofMachine = /^(Operating system|Kernel|Shell): (.+)$/
const mostAsked = 20
const longestVersion = 200

/** Reads the markers of a line; true where a command begins on it. */
function followMarkers(reading: Reading, raw: string): boolean {
  let began = false
  for (const { groups = {} } of raw.matchAll(markers)) {
    const { start, end, stats, edge, fold } = groups
    if (fold === 'git.checkout' && edge === 'end') reading.begun = true
    if (fold === 'worker_info' || fold === 'system_info') reading.folded = edge === 'start'
    if (end !== undefined && end === reading.timer) {
      reading.timer = null
      const phase = /event=([\w.-]{1,40})/.exec(stats ?? '')?.[1]
      const command = reading.commands.at(-1)
      if (command && phase !== undefined) command.phase = phase
    }
    if (start !== undefined && reading.timer === null && reading.begun) {
      if (!plainLine(raw).startsWith(prompt)) continue
      reading.timer = start
      began = true
    }
  }
  return began
}

/** Whether the service wrote the line; an exit code is noted at its command. */
function isOwn(reading: Reading, raw: string, text: string, number: number): boolean {
  const exit = reading.timer === null ? exitIn(text) : undefined
  const command = reading.commands.at(-1)
  if (exit !== undefined && command) {
    if (command.exit_code === null) command.exit_code = exit
    return true
  }
  // Between commands, only the service writes whole lines in red. A job can print what looks like it.
  const isSaid = reading.timer === null ? isSaidBetween(raw, text) : ownEnding.test(text)
  if (!isSaid || !(raw.includes(red) || raw.includes(yellow))) return false
  const ended = endedShell.exec(text)
  if (ended) {
    if (command) command.exit_code ??= Number(ended[1] ?? 0)
    reading.timer = null
    return true
  }
  reading.endings.push({ number, text, command: -1 })
  return true
}

const isSaidBetween = (raw: string, text: string) =>
  raw.startsWith(red) || ownEnding.test(text) || outOfMemory.test(text)

function exitIn(text: string): number | undefined {
  const found = exited.exec(text)
  return found ? Number(found[1] ?? found[2]) : undefined
}

const isFrame = (text: string) => text.startsWith(prompt) || frame.test(text)

const prompt = '$ '
const longestMarked = 20_000
const red = '\u001B[31;1m'
const yellow = '\u001B[33;1m'
const markers =
  /service_(?:time:start:(?<start>[\da-f]{1,16})|time:end:(?<end>[\da-f]{1,16}):(?<stats>[\w=,.-]{1,300})|fold:(?<edge>start|end):(?<fold>[\w.-]{1,200}))/g
const exited =
  /^The command ".*" (?:exited with (\d{1,3})\.|failed and exited with (\d{1,3}) during )/
const endedShell = /^The command ".*" ended the shell(?: with (\d{1,3}))? during /
const ownEnding =
  /^(?:The (?:job|log|files of the job|command|build|commit|folder|version|program)|No script|Git is not|This attempt|.* is not installed)/
const outOfMemory = /^A process of this job was probably ended because memory ran out/
const frame =
  /^(?:Done\. The exit code of the job is |The command ".*" exited with \d+, which does not count|The job has been stopped:|Not masked in this log)/
