import type { Facts } from '../../buildfile/expand/facts.ts'
import type { DroppedJob } from '../../buildfile/expand/plan.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { plural } from '../counts.ts'
import { quote } from '../quote.ts'
import { describeDrop } from './describe-drop.ts'
import { describeOrigin } from './describe-origin.ts'

const mostReasons = 10
const mostNames = 3

/**
 * Which jobs are left out, and why: one text for each reason. `total` also counts jobs that are not in
 * this list.
 */
export function leftOutTexts(jobs: readonly (DroppedJob & Facts)[], total: number): string[] {
  const reasons = new Map<string, string[]>()
  for (const job of jobs) {
    // A matrix of one job replaced by jobs.include is not a loss.
    if (job.why.kind === 'replaced') continue
    const why = describeDrop(job.why)
    reasons.set(why, [...(reasons.get(why) ?? []), nameOf(job)])
  }
  const told = [...reasons].slice(0, mostReasons)
  const untold =
    total - jobs.length + [...reasons].slice(mostReasons).flatMap(([, all]) => all).length
  return [
    ...told.map(([why, names]) => `${listOf(names)}: ${why}`),
    ...(untold > 0 ? [`and ${plural(untold, 'more job')}`] : []),
  ]
}

/** The job's name, or else its distinguishing values, or else its origin. */
function nameOf({ name, values, env, origin }: DroppedJob & Facts): string {
  if (name !== null) return quote(name)
  const facts = Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [`${key} ${quote(value)}`],
  )
  return visible([...facts, ...env].join(', ')) || describeOrigin(origin)
}

function listOf(names: readonly string[]): string {
  const listed = names.slice(0, mostNames).join(' and ')
  return names.length > mostNames ? `${listed} and ${names.length - mostNames} more` : listed
}
