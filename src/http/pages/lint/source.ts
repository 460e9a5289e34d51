import type { MessageLevel } from '../../../domain/request/request.ts'
import type { Finding } from '../../../lint/finding.ts'

/** A piece of a line; `level` is set if a finding is about it. */
export interface SourcePiece {
  text: string
  level: MessageLevel | null
}

export interface SourceLine {
  number: number
  pieces: SourcePiece[]
  /** Characters omitted at its end. */
  cut: number
  /** The findings to show below it. */
  findings: readonly Finding[]
}

/** Neighbouring lines. In a long file, lines far from all findings are folded. */
export interface Block {
  folded: boolean
  lines: SourceLine[]
}

export interface SourceLimits {
  /** The number of lines shown unfolded; longer files show only lines around findings. */
  unfolded: number
  /** The number of lines around a finding that are not folded. */
  around: number
  lines: number
  characters: number
}

const defaultLimits: SourceLimits = { unfolded: 300, around: 3, lines: 3000, characters: 1000 }

export interface SourceText {
  blocks: Block[]
  /** Findings without a visible line. */
  elsewhere: Finding[]
  /** Lines at the end that are not shown at all. */
  hidden: number
}

/** A file in lines, each with its findings. */
export function sourceOf(
  text: string,
  findings: readonly Finding[],
  limits: SourceLimits = defaultLimits,
): SourceText {
  const all = text.replace(/\n$/, '').split('\n')
  const found = byLine(findings)
  const lines = all
    .slice(0, limits.lines)
    .map((line, index) => lineOf(line, index + 1, found.get(index + 1) ?? [], limits.characters))
  const isOpen = openLines(lines, limits)
  return {
    blocks: blocksOf(lines, isOpen),
    elsewhere: findings.filter(({ line }) => line === null || line > lines.length),
    hidden: all.length - lines.length,
  }
}

function byLine(findings: readonly Finding[]): Map<number, Finding[]> {
  const found = new Map<number, Finding[]>()
  for (const finding of findings) {
    if (finding.line === null) continue
    const here = found.get(finding.line)
    if (here) here.push(finding)
    else found.set(finding.line, [finding])
  }
  return found
}

function lineOf(
  text: string,
  number: number,
  findings: readonly Finding[],
  most: number,
): SourceLine {
  const shown = text.slice(0, most)
  return { number, pieces: piecesOf(shown, findings), cut: text.length - shown.length, findings }
}

/** Cuts a line at the start and end of findings. If findings overlap, the first one to begin is shown. */
function piecesOf(text: string, findings: readonly Finding[]): SourcePiece[] {
  const pieces: SourcePiece[] = []
  let at = 0
  for (const { level, start, end } of findings
    .map((finding) => rangeOf(text, finding))
    .toSorted(byStart)) {
    const from = Math.max(at, start)
    if (from >= end) continue
    pieces.push({ text: text.slice(at, from), level: null }, { text: text.slice(from, end), level })
    at = end
  }
  return [...pieces, { text: text.slice(at), level: null }].filter((piece) => piece.text !== '')
}

interface Range {
  level: MessageLevel
  start: number
  end: number
}

function rangeOf(text: string, { level, line, column, end_line, end_column }: Finding): Range {
  const start = (column ?? 1) - 1
  const end = end_line === line && end_column !== null ? end_column - 1 : text.length
  return { level, start, end: Math.min(Math.max(end, start + 1), text.length) }
}

function byStart(one: Range, other: Range): number {
  return one.start - other.start
}

function openLines(lines: readonly SourceLine[], { unfolded, around }: SourceLimits) {
  if (lines.length <= unfolded) return () => true
  const open = new Set<number>()
  for (const { number, findings } of lines) {
    if (findings.length === 0) continue
    for (let near = number - around; near <= number + around; near += 1) open.add(near)
  }
  return ({ number }: SourceLine) => open.has(number)
}

function blocksOf(lines: readonly SourceLine[], isOpen: (line: SourceLine) => boolean): Block[] {
  const blocks: Block[] = []
  for (const line of lines) {
    const folded = !isOpen(line)
    const last = blocks.at(-1)
    if (last?.folded === folded) last.lines.push(line)
    else blocks.push({ folded, lines: [line] })
  }
  return blocks
}
