import type { ConditionData } from '../../../buildfile/conditions/data.ts'
import type { Explanation } from '../../../buildfile/expand/explain-jobs.ts'
import { visible } from '../../../domain/visible.ts'
import { type NotesInput, jobNotes } from '../../../lint/jobs/job-notes.ts'
import { jobsText } from './jobs-text.ts'

/** What a build file makes of an event, or of none. */
export interface Expanded extends Explanation, NotesInput {
  file: string
  /** What conditions were held against; null where all of them count as true. */
  event: ConditionData | null
}

/** The same for people: a headline, what else there is to know, and the jobs. */
export function expandedText(expanded: Expanded): string {
  const lines = [headline(expanded), ...jobNotes(expanded, expanded.event?.branch)]
  return `${lines.map((line) => `${visible(line)}\n`).join('')}\n${jobsText(expanded)}`
}

function headline({ file, event, total, complete }: Expanded): string {
  const count = `${complete ? '' : 'at least '}${total} ${total === 1 ? 'job' : 'jobs'}`
  if (!event) return `${file}: ${count}, as if every condition held`
  const { type, env: _env, head_repo, head_branch, ...facts } = event
  const head = {
    head_repo: head_repo === event.repo ? null : head_repo,
    head_branch: head_branch === event.branch ? null : head_branch,
  }
  const shown = Object.entries({ ...facts, ...head })
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name} ${String(value)}`)
  const where = shown.length > 0 ? `, with ${shown.join(', ')}` : ''
  return `${file}: ${count} for an event of type ${String(type)}${where}`
}
