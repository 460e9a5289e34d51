import type { BranchDecision } from '../../buildfile/branches.ts'
import type { Explanation } from '../../buildfile/expand/explain-jobs.ts'
import { isMap } from '../../domain/config-value.ts'
import { type Config, listOf } from '../../buildfile/expand/values.ts'
import { messageText } from '../message-text.ts'
import { quote } from '../quote.ts'

export interface NotesInput extends Pick<Explanation, 'jobs' | 'total' | 'messages'> {
  /** What the section `branches` says to the branch of the event, if it has one. */
  branches: BranchDecision | null
  /** The files that it imports; they are left out, since they may be anywhere. */
  imports: readonly string[]
}

/** What there is to know about the jobs of a file besides themselves, in sentences. */
export function jobNotes(
  { branches, jobs, total, messages, imports }: NotesInput,
  branch: unknown,
): string[] {
  const skipped = messages.filter(({ code }) => noted.has(code))
  return [
    ...(branches?.included === false ? [`Nothing is built: ${filtered(branches, branch)}.`] : []),
    ...(total > jobs.length
      ? [`Nothing is built: a build may have ${jobs.length} jobs. These are the first ones.`]
      : []),
    ...(imports.length > 0 ? [`Note: without what it imports: ${imports.join(', ')}.`] : []),
    ...skipped.map((message) => `Note: ${messageText(message)}.`),
  ]
}

/** The others, about jobs and stages, are shown with each job that is left out. */
const noted = new Set(['skip_exclude', 'skip_allow_failure', 'skip_notification'])

function filtered({ by, entry }: BranchDecision, branch: unknown): string {
  return by === 'only'
    ? `branches.only does not name ${quote(branch)}`
    : `${quote(entry)} in branches.except names ${quote(branch)}`
}

/** The files that a build file imports, as it names them. */
export function importsOf(config: Config): string[] {
  return listOf(config.import).flatMap((entry) => (isMap(entry) ? [String(entry.source)] : []))
}
