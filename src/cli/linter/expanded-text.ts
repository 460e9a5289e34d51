import type { BranchDecision } from '../../buildfile/branches.ts'
import type { ConditionData } from '../../buildfile/conditions/data.ts'
import type { Explanation } from '../../buildfile/expand/explain-jobs.ts'
import { messageText } from '../../lint/message-text.ts'
import { quote, visible } from '../../lint/quote.ts'
import { jobsText } from './jobs-text.ts'

/** What a build file makes of an event, or of none. */
export interface Expanded extends Explanation {
  file: string
  /** What conditions were held against; null where all of them count as true. */
  event: ConditionData | null
  /** What the section `branches` says to the branch of the event, if it has one. */
  branches: BranchDecision | null
  /** The files that it imports; they are left out, since they may be anywhere. */
  imports: string[]
}

/** The same for people: a headline, what else there is to know, and the jobs. */
export function expandedText(expanded: Expanded): string {
  const lines = [headline(expanded), ...notes(expanded)]
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
  const given = Object.entries({ ...facts, ...head })
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name} ${String(value)}`)
  const where = given.length > 0 ? `, with ${given.join(', ')}` : ''
  return `${file}: ${count} for an event of type ${String(type)}${where}`
}

function notes({ branches, event, jobs, total, messages, imports }: Expanded): string[] {
  const skipped = messages.filter(({ code }) => told.has(code))
  return [
    ...(branches?.included === false ? [`Nothing is built: ${filtered(branches, event)}.`] : []),
    ...(total > jobs.length
      ? [`Nothing is built: a build may have ${jobs.length} jobs. These are the first ones.`]
      : []),
    ...(imports.length > 0 ? [`Note: without what it imports: ${imports.join(', ')}.`] : []),
    ...skipped.map((message) => `Note: ${messageText(message)}.`),
  ]
}

/** What is said about jobs and stages stands at each job that is left out. */
const told = new Set(['skip_exclude', 'skip_allow_failure', 'skip_notification'])

function filtered({ by, entry }: BranchDecision, event: ConditionData | null): string {
  const branch = quote(event?.branch)
  return by === 'only'
    ? `branches.only does not name ${branch}`
    : `${quote(entry)} in branches.except names ${branch}`
}
