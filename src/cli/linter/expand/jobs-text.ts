import type {
  ExplainedDrop,
  ExplainedJob,
  Explanation,
} from '../../../buildfile/expand/explain-jobs.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { describeDrop } from '../../../lint/jobs/describe-drop.ts'
import { atLine, describeOrigin } from '../../../lint/jobs/describe-origin.ts'
import { tableLines } from '../table.ts'

/** The jobs of a build as tables for people: first the built jobs, then the jobs left out. */
export function jobsText(explanation: Explanation): string {
  const { jobs, dropped } = explanation
  const columns = explanation.columns.filter((column) => differs(column, [...jobs, ...dropped]))
  const lines = [
    ...sharedLines(explanation, columns),
    ...(jobs.length > 0 ? builtLines(explanation, columns) : []),
    ...(dropped.length > 0 ? ['', 'Left out:', ...droppedLines(dropped, columns)] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

type Row = ExplainedJob | ExplainedDrop

function differs(column: string, rows: readonly Row[]): boolean {
  return rows.some(({ values }) => values[column] !== rows[0]?.values[column])
}

/** The values that all jobs share. */
function sharedLines(explanation: Explanation, columns: readonly string[]): string[] {
  const { jobs, dropped, global_env } = explanation
  const [first] = [...jobs, ...dropped]
  const shared = explanation.columns
    .filter((column) => !columns.includes(column))
    .flatMap((column) => {
      const value = first?.values[column]
      return typeof value === 'string' ? [`${column} ${visible(value)}`] : []
    })
  return [
    ...(shared.length > 0 ? [`Everywhere: ${shared.join(', ')}`] : []),
    ...(global_env.length > 0 ? [`env.global: ${global_env.map(visible).join(', ')}`] : []),
    ...(shared.length + global_env.length > 0 ? [''] : []),
  ]
}

function builtLines({ jobs }: Explanation, columns: readonly string[]): string[] {
  const heads = ['job', 'stage', 'name', ...columns, 'env', 'may fail', 'from']
  const rows = jobs.map((job) => [
    String(job.number),
    ...cells(job, columns),
    allowance(job),
    describeOrigin(job.origin),
  ])
  return tableLines(heads, rows)
}

function droppedLines(dropped: readonly ExplainedDrop[], columns: readonly string[]): string[] {
  const heads = ['stage', 'name', ...columns, 'env', 'from', 'why']
  const rows = dropped.map((drop) => [
    ...cells(drop, columns),
    describeOrigin(drop.origin),
    describeDrop(drop.why),
  ])
  return tableLines(heads, rows)
}

function cells({ stage, name, values, env }: Row, columns: readonly string[]): string[] {
  return [stage ?? '', name ?? '', ...columns.map((column) => values[column] ?? ''), env.join(', ')]
}

function allowance({ allowed_to_fail: allowed }: ExplainedJob): string {
  if (allowed === null) return ''
  const by = allowed.entry === null ? 'by itself' : `jobs.allow_failures ${allowed.entry}`
  return `${by}${atLine(allowed.line)}`
}
