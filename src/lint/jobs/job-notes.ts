import type { BranchDecision } from '../../buildfile/branches.ts'
import type { ConditionData } from '../../buildfile/conditions/data.ts'
import type { Explanation } from '../../buildfile/expand/explain-jobs.ts'
import { rootCondition } from '../../buildfile/expand/root-condition.ts'
import { type Config, listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { messageText } from '../message-text.ts'
import { quote } from '../quote.ts'
import { seenText } from './seen-text.ts'

export interface NotesInput extends Pick<Explanation, 'jobs' | 'total' | 'messages'> {
  /** Decision of the section `branches` on the event's branch, if the event has one. */
  branches: BranchDecision | null
  /**
   * The reason why the condition of the file as a whole does not hold; null if it holds, or if there is none.
   */
  unmet: string | null
  /** The files that the build file imports. Their content is left out, because they may be anywhere. */
  imports: readonly string[]
}

/** Notes about the jobs of a file, in sentences. */
export function jobNotes(
  { branches, unmet, jobs, total, messages, imports }: NotesInput,
  branch: unknown,
): string[] {
  const skipped = messages.filter(({ code }) => noted.has(code))
  return [
    ...(branches?.included === false ? [`Nothing is built: ${filtered(branches, branch)}.`] : []),
    // If the condition leaves out each job as well, the jobs show it.
    ...(unmet !== null && jobs.length > 0 ? [`Nothing is built: ${unmet}.`] : []),
    ...(total > jobs.length
      ? [`Nothing is built: a build may have ${jobs.length} jobs. These are the first ones.`]
      : []),
    ...(imports.length > 0 ? [`Note: without what it imports: ${imports.join(', ')}.`] : []),
    ...skipped.map((message) => `Note: ${messageText(message)}.`),
  ]
}

/**
 * Why the root condition does not hold for an event; null if it holds. The condition decides on the
 * whole build, and is evaluated with the keys of the root, where `os` is a list.
 */
export function unmetCondition(config: Config, event: ConditionData | undefined): string | null {
  const root = event && rootCondition(config, event)
  if (!root || root.holds) return null
  const seen = root.error ?? seenText(root.saw)
  return `the condition of the whole file, ${quote(root.condition)}, does not hold${seen === '' ? '' : `: ${seen}`}`
}

/** Codes shown as notes. The other skips, of jobs and stages, are shown with each job left out. */
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
