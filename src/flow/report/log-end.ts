import type { Job } from '../../domain/job/job.ts'
import { endOfLog } from '../../store/logs.ts'
import type { Database } from '../../store/tables.ts'
import { paintLine } from '../../terminal/paint-line.ts'
import { plainStyle } from '../../terminal/text-style.ts'
import { withoutMarkers } from '../../terminal/without-markers.ts'

/** Characters that are read for it; longer lines are cut to the second number. */
const mostRead = 16_000
const longestLine = 300

/** The last lines of a job's log as a terminal shows them, without colours; secrets are masked in it. */
export async function lastLines(
  db: Database,
  { id }: Pick<Job, 'id'>,
  count: number,
): Promise<string[]> {
  const text = withoutMarkers(await endOfLog(db, id, mostRead)).trimEnd()
  if (text === '') return []
  return text
    .split('\n')
    .slice(-count)
    .map((line) => plain(line.slice(-mostRead)))
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))
}

function plain(line: string): string {
  return paintLine(line, plainStyle)
    .spans.map(({ text }) => text)
    .join('')
}
