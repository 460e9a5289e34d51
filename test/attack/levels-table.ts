import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Level } from '../../src/runner/executors/process/level.ts'

const repository = path.resolve(import.meta.dirname, '../..')

/** The table in `docs/running.md`: the abilities of a job, by column. */
export function cellsOfTable(): Map<string, Map<string, string>> {
  const text = readFileSync(path.join(repository, 'docs/running.md'), 'utf8')
  const lines = text.split('\n')
  const head = lines.findIndex((line) => line.startsWith('| A job can'))
  const cells = (line = '') =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const [, ...columns] = cells(lines[head])
  const rows = lines.slice(head + 2)
  const table = rows.slice(
    0,
    rows.findIndex((line) => !line.startsWith('|')),
  )
  return new Map(
    table.map((line) => {
      const [row = '', ...values] = cells(line)
      return [row, new Map(columns.map((column, index) => [column, values[index] ?? '']))]
    }),
  )
}

/** The column that applies to this user. */
export function columnOf(level: Level): string {
  const asRoot = process.getuid?.() === 0
  return level === 'none' && asRoot ? '`none`, as root' : `\`${level}\``
}
