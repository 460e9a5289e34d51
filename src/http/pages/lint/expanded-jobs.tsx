import type { ExplainedDrop, ExplainedJob } from '../../../buildfile/expand/explain-jobs.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { shortened } from '../../../domain/text/shortened.ts'
import { describeDrop } from '../../../lint/jobs/describe-drop.ts'
import { atLine, describeOrigin } from '../../../lint/jobs/describe-origin.ts'
import { Table } from '../parts/table.tsx'

type Row = ExplainedJob | ExplainedDrop

interface Column<R extends Row> {
  name: string
  textOf: (row: R) => string
}

interface Columns {
  columns: readonly string[]
}

/** The jobs of a build file, each with its distinguishing values and its origin. */
export function JobsTable({ jobs, columns }: Columns & { jobs: readonly ExplainedJob[] }) {
  const all: Column<ExplainedJob>[] = [
    { name: 'Job', textOf: ({ number }) => String(number) },
    ...factsOf(columns),
    { name: 'May fail', textOf: allowanceOf },
    { name: 'From', textOf: ({ origin }) => describeOrigin(origin) },
  ]
  return <FilledTable caption="Jobs" columns={all} rows={jobs} />
}

/** More dropped jobs are not useful on a page. */
const mostDropped = 200

/** The jobs that are not built, and why. */
export function DroppedTable({
  dropped,
  columns,
}: Columns & { dropped: readonly ExplainedDrop[] }) {
  const all: Column<ExplainedDrop>[] = [
    { name: 'Why', textOf: ({ why }) => describeDrop(why) },
    ...factsOf(columns),
    { name: 'From', textOf: ({ origin }) => describeOrigin(origin) },
  ]
  const hidden = dropped.length - mostDropped
  return (
    <>
      <FilledTable caption="Dropped jobs" columns={all} rows={dropped.slice(0, mostDropped)} />
      {hidden > 0 && <p class="faint">{hidden.toLocaleString('en-US')} more</p>}
    </>
  )
}

function factsOf(columns: readonly string[]): Column<Row>[] {
  return [
    { name: 'Stage', textOf: ({ stage }) => stage ?? '' },
    { name: 'Name', textOf: ({ name }) => name ?? '' },
    ...columns.map((name) => ({ name, textOf: ({ values }: Row) => values[name] ?? '' })),
    { name: 'env', textOf: ({ env }) => env.join(', ') },
  ]
}

function allowanceOf({ allowed_to_fail: allowed }: ExplainedJob): string {
  if (allowed === null) return ''
  const by = allowed.entry === null ? 'by itself' : `jobs.allow_failures ${allowed.entry}`
  return `${by}${atLine(allowed.line)}`
}

interface FilledTableProps<R extends Row> {
  caption: string
  columns: readonly Column<R>[]
  rows: readonly R[]
}

/** Shows only columns that have a value in some row. */
function FilledTable<R extends Row>({ caption, columns, rows }: FilledTableProps<R>) {
  const [first, ...others] = columns.filter(({ textOf }) => rows.some((row) => textOf(row) !== ''))
  if (!first) return null
  return (
    <Table caption={caption} columns={[first, ...others].map(({ name }) => name)}>
      {rows.map((row) => (
        <tr>
          <th scope="row" data-name={first.name}>
            {shown(first.textOf(row))}
          </th>
          {others.map(({ name, textOf }) => (
            <td data-name={name}>{shown(textOf(row))}</td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

const longest = 200

function shown(text: string): string {
  return visible(shortened(text, longest))
}
