import { plainDrawn } from './drawn-style.ts'
import { cutAtMarkers, type Marker } from './marker.ts'
import { paintLine, type PaintedSpan } from './paint-line.ts'
import { plainStyle, type TextStyle } from './text-style.ts'

export interface LogLine {
  kind: 'line'
  /** The line number in the plain text, from 1; null for text that follows a marker inside a line. */
  number: number | null
  spans: PaintedSpan[]
  /** Characters of the line that are not shown. */
  cut: number
  /** Duration of the command on this line. */
  seconds: number | null
}

export interface LogFold {
  kind: 'fold'
  name: string
  /** The line shown for the fold: its first line, usually a command. */
  head: LogLine | null
  inside: LogNode[]
  /** Whether the end of the fold was read. */
  closed: boolean
}

export type LogNode = LogLine | LogFold

/** The deepest nesting of folds, because pages are rendered recursively. */
const deepest = 8
// Limits for a page. Real logs stay far below; a hostile one only loses its formatting.
const mostMarkers = 5000
const mostSpans = 10_000

interface Reading {
  nodes: LogNode[]
  open: LogFold[]
  style: TextStyle
  /** Timers whose line has not been read yet. */
  begun: string[]
  /** The line of each running timer. */
  timed: Map<string, LogLine>
  markers: number
  spans: number
}

/** Reads lines of output into lines and folds. `first` is the number of the first of them. */
export function readFolds(lines: Iterable<string>, first: number): LogNode[] {
  const reading: Reading = {
    nodes: [],
    open: [],
    style: plainStyle,
    begun: [],
    timed: new Map(),
    markers: 0,
    spans: 0,
  }
  let number = first
  for (const line of lines) {
    readLine(reading, line, number)
    number += 1
  }
  return reading.nodes
}

function readLine(reading: Reading, raw: string, number: number): void {
  const pieces = cutAtMarkers(raw, mostMarkers - reading.markers)
  let unused: number | null = number
  for (const { text, marker } of pieces) {
    const { spans, cut } = drawn(reading, text)
    // A line with only markers is not a line of output.
    if (spans.length > 0 || pieces.length === 1) {
      addLine(reading, { kind: 'line', number: unused, spans, cut, seconds: null })
      unused = null
    }
    if (marker) follow(reading, marker)
  }
}

function drawn(reading: Reading, text: string): { spans: PaintedSpan[]; cut: number } {
  const { spans, style, cut } = paintLine(text, reading.style)
  reading.style = style
  reading.spans += spans.length
  if (reading.spans <= mostSpans || spans.length < 2) return { spans, cut }
  return { spans: [{ text: spans.map((span) => span.text).join(''), style: plainDrawn }], cut }
}

function addLine(reading: Reading, line: LogLine): void {
  const fold = reading.open.at(-1)
  if (fold && fold.head === null && fold.inside.length === 0) fold.head = line
  else (fold?.inside ?? reading.nodes).push(line)
  for (const id of reading.begun) reading.timed.set(id, line)
  reading.begun = []
}

function follow(reading: Reading, marker: Marker): void {
  reading.markers += 1
  if (marker.kind === 'fold_start') openFold(reading, marker.name)
  if (marker.kind === 'fold_end') closeFold(reading, marker.name)
  if (marker.kind === 'time_start') reading.begun.push(marker.id)
  if (marker.kind === 'time_end') {
    const line = reading.timed.get(marker.id)
    if (line) line.seconds = marker.seconds
    reading.timed.delete(marker.id)
  }
}

function openFold({ nodes, open }: Reading, name: string): void {
  if (open.length >= deepest) return
  const fold: LogFold = { kind: 'fold', name, head: null, inside: [], closed: false }
  const around = open.at(-1)?.inside ?? nodes
  around.push(fold)
  open.push(fold)
}

/** Closes the innermost fold of this name and all within it. An end without a start is ignored. */
function closeFold({ open }: Reading, name: string): void {
  const at = open.findLastIndex((fold) => fold.name === name)
  if (at === -1) return
  for (const fold of open.splice(at)) fold.closed = true
}
