import type { BranchDecision } from '../../../buildfile/branches.ts'
import type { Explanation } from '../../../buildfile/expand/explain-jobs.ts'
import { plural } from '../../../lint/counts.ts'
import { messageText } from '../../../lint/message-text.ts'
import { quote, visible } from '../../../lint/quote.ts'
import { stateClass } from '../state-badge.tsx'
import type { Asked } from './asked.ts'
import type { Checked, Made } from './check.ts'
import { DroppedTable, JobsTable } from './made-jobs.tsx'

const longestConfig = 100_000

/** What the file makes: its jobs, those it leaves out, and its normal form. */
export function MadePart({ asked, checked }: { asked: Asked; checked: Checked | null }) {
  return <div id="made">{checked?.made && <Sections asked={asked} made={checked.made} />}</div>
}

function Sections({ asked, made }: { asked: Asked; made: Made }) {
  const { config, explanation, branches } = made
  const { jobs, dropped, columns } = explanation
  return (
    <>
      <section aria-labelledby="jobs">
        <h2 id="jobs">{headline(explanation)}</h2>
        <p class="faint">{contextOf(asked, explanation)}</p>
        {notesOf(asked, explanation, branches).map((note) => (
          <p class={`notice ${stateClass('created')}`}>{note}</p>
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

/** What is said about jobs and stages stands at each job that is left out. */
const told = new Set(['skip_exclude', 'skip_allow_failure', 'skip_notification'])

function notesOf(
  { branch, tag }: Asked,
  { jobs, total, messages }: Explanation,
  branches: BranchDecision | null,
): string[] {
  const skipped = messages.filter(({ code }) => told.has(code)).map(messageText)
  return [
    ...(branches?.included === false
      ? [`Nothing is built: ${whyNot(branches, branch || tag)}.`]
      : []),
    ...(total > jobs.length
      ? [`Nothing is built: a build may have ${jobs.length} jobs. These are the first ones.`]
      : []),
    ...skipped.slice(0, 20).map((text) => `Note: ${visible(text)}.`),
  ]
}

function whyNot({ by, entry }: BranchDecision, branch: string): string {
  return by === 'only'
    ? `branches.only does not name ${quote(branch)}`
    : `${quote(entry)} in branches.except names ${quote(branch)}`
}

function configText(config: Made['config']): string {
  const text = JSON.stringify(config, null, 2)
  return text.length > longestConfig ? `${text.slice(0, longestConfig)}\n…` : text
}
