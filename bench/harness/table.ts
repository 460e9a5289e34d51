import { type Line, verdictOf } from './line.ts'

const heads = ['bench', 'ratio', 'p10–p90', 'A/A', 'goal', 'verdict']

/** The lines as a table for people. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [heads, ...lines.map(rowOf)]
  const widths = heads.map((_head, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((row) => `${row.trimEnd()}\n`)
    .join('')
}

function rowOf(line: Line): string[] {
  const { bench, ratio, p10, p90, aa, goal, better } = line
  return [
    bench,
    shown(ratio),
    p10 === null ? '–' : `${shown(p10)}–${shown(p90)}`,
    shown(aa),
    `${better === 'higher' ? '≥' : '≤'} ${goal}`,
    verdictOf(line),
  ]
}

function shown(value: number | null): string {
  return value === null ? '–' : value.toFixed(2)
}
