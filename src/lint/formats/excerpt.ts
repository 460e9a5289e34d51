import { visible } from '../../domain/text/escape-control-characters.ts'
import type { Finding } from '../finding.ts'

/** Longer lines are shown only around the finding. */
const widest = 120

export interface Excerpt {
  line: string
  /** As many spaces as there are columns before the finding. */
  before: string
  /** A mark under each column of the finding that is on this line. */
  marks: string
}

/** The lines of a file, without their breaks. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/)
}

/** The line a finding is about, with marks to put under it; undefined where it has no position. */
export function excerptOf(lines: readonly string[], finding: Finding): Excerpt | undefined {
  if (finding.line === null) return undefined
  const line = lines[finding.line - 1]
  if (line === undefined) return undefined
  const start = (finding.column ?? 1) - 1
  const end =
    finding.end_line === finding.line ? (finding.end_column ?? start + 2) - 1 : line.length
  const [from, to] = windowAround(line, start)
  const before = display(line.slice(from, start))
  const marked = display(line.slice(start, Math.min(Math.max(end, start), to)))
  return {
    line: `${from > 0 ? '…' : ''}${before}${marked}${display(line.slice(Math.max(end, start), to))}${
      to < line.length ? '…' : ''
    }`,
    before: ' '.repeat(width(before) + (from > 0 ? 1 : 0)),
    marks: '^'.repeat(Math.max(width(marked), 1)),
  }
}

function windowAround(line: string, start: number): [number, number] {
  if (line.length <= widest) return [0, line.length]
  const from = Math.max(0, Math.min(start - widest / 4, line.length - widest))
  return [from, from + widest]
}

function display(text: string): string {
  return visible(text.replaceAll('\t', '  '))
}

/** Columns on a terminal, counting each character as one. */
function width(text: string): number {
  return Array.from(text).length
}
