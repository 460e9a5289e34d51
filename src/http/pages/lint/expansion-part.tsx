import type { Explanation } from '../../../buildfile/expand/explain-jobs.ts'
import { plural } from '../../../lint/counts.ts'
import { visible } from '../../../lint/quote.ts'
import { importsOf, toldNotes } from '../../../lint/told-notes.ts'
import { stateClass } from '../parts/state-badge.tsx'
import type { Asked } from './lint-form.ts'
import type { Checked, Made } from './check.ts'
import { DroppedTable, JobsTable } from './expanded-jobs.tsx'

const longestConfig = 100_000
const mostNotes = 20

/** What the file makes: its jobs, those it leaves out, and its normal form. */
export function MadePart({ asked, checked }: { asked: Asked; checked: Checked | null }) {
  return <div id="made">{checked?.made && <Sections asked={asked} made={checked.made} />}</div>
}

function Sections({ asked, made }: { asked: Asked; made: Made }) {
  const { config, explanation, branches } = made
  const { jobs, dropped, columns } = explanation
  const noted = { ...explanation, branches, imports: importsOf(config) }
  const notes = toldNotes(noted, asked.branch || asked.tag)
  return (
    <>
      <section aria-labelledby="jobs">
        <h2 id="jobs">{headline(explanation)}</h2>
        <p class="faint">{contextOf(asked, explanation)}</p>
        {notes.slice(0, mostNotes).map((note) => (
          <p class={`notice ${stateClass('created')}`}>{visible(note)}</p>
        ))}
        {jobs.length > 0 && <JobsTable jobs={jobs} columns={columns} />}
      </section>
      {dropped.length > 0 && (
        <section aria-labelledby="dropped">
          <h2 id="dropped">Left out</h2>
          <DroppedTable dropped={dropped} columns={columns} />
        </section>
      )}
      <details class="card">
        <summary>The file as it is read, in its normal form</summary>
        <pre>{configText(config)}</pre>
      </details>
    </>
  )
}

function headline({ total, complete }: Explanation): string {
  return `${complete ? '' : 'At least '}${plural(total, 'job')}`
}

/** What the jobs have in common. */
function contextOf({ event }: Asked, { axes, global_env }: Explanation): string {
  const matrix = axes
    .filter(({ values }) => values > 1)
    .map(({ key, values }) => `${values} of ${key}`)
  return [
    event === '' ? 'As if every condition held.' : `For an event of type ${event}.`,
    matrix.length > 0 ? `The matrix has ${matrix.join(' times ')}.` : '',
    global_env.length > 0 ? `All have in their env: ${global_env.map(visible).join(', ')}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function configText(config: Made['config']): string {
  const text = JSON.stringify(config, null, 2)
  return text.length > longestConfig ? `${text.slice(0, longestConfig)}\n…` : text
}
