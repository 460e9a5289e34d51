import type { Explanation } from '../../../buildfile/expand/explain-jobs.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { plural } from '../../../lint/counts.ts'
import { importsOf, jobNotes } from '../../../lint/jobs/job-notes.ts'
import { stateClass } from '../parts/state-badge.tsx'
import type { CheckResult, CheckedExpansion } from './check.ts'
import { DroppedTable, JobsTable } from './expanded-jobs.tsx'
import type { LintForm } from './lint-form.ts'

const longestConfig = 100_000
const mostNotes = 20

/** The expansion of the file: its jobs, the dropped jobs, and its normal form. */
export function ExpansionPart({ form, checked }: { form: LintForm; checked: CheckResult | null }) {
  return (
    <div id="made">
      {checked?.expansion && <Sections form={form} expansion={checked.expansion} />}
    </div>
  )
}

function Sections({ form, expansion }: { form: LintForm; expansion: CheckedExpansion }) {
  const { config, explanation, branches, unmet } = expansion
  const { jobs, dropped, columns } = explanation
  const noted = { ...explanation, branches, unmet, imports: importsOf(config) }
  const notes = jobNotes(noted, form.branch || form.tag)
  return (
    <>
      <section aria-labelledby="jobs">
        <h2 id="jobs">{headline(explanation)}</h2>
        <p class="faint">{contextOf(form, explanation)}</p>
        {notes.slice(0, mostNotes).map((note) => (
          <p class={`notice ${stateClass('created')}`}>{visible(note)}</p>
        ))}
        {jobs.length > 0 && <JobsTable jobs={jobs} columns={columns} />}
      </section>
      {dropped.length > 0 && (
        <section aria-labelledby="dropped">
          <h2 id="dropped">Dropped jobs</h2>
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

/** The settings that all jobs have in common. */
function contextOf({ event }: LintForm, { axes, global_env }: Explanation): string {
  const matrix = axes
    .filter(({ values }) => values > 1)
    .map(({ key, values }) => `${values} of ${key}`)
  return [
    event === '' ? 'As if every condition held.' : `For an event of type ${event}.`,
    matrix.length > 0 ? `The matrix has ${matrix.join(' times ')}.` : '',
    global_env.length > 0
      ? `All jobs have in their env: ${global_env.map(visible).join(', ')}.`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function configText(config: CheckedExpansion['config']): string {
  const text = JSON.stringify(config, null, 2)
  return text.length > longestConfig ? `${text.slice(0, longestConfig)}\n…` : text
}
