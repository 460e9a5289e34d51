import { countedIn, type RequestAbout, type Said, says } from './commit-status.ts'
import { hasFaultyCondition, isJobUnreadable, unusableCheck } from './request/decision.ts'
import { type StatusKind, statusKinds } from './status.ts'

/** How a check of a commit ends, the most severe first. */
export const conclusions = [
  'failure',
  'action_required',
  'cancelled',
  'neutral',
  'skipped',
] as const
export type Conclusion = (typeof conclusions)[number]

export interface Checked extends Said {
  conclusion: Conclusion
}

/**
 * The request whose build file decides the check of a commit: the worst of those that count in any
 * context, of equals the newest (D51). Undefined where nothing is decided, or there is no file to check.
 */
export function checkedOf(requests: readonly RequestAbout[]): Checked | undefined {
  const counted = statusKinds.flatMap((kind) => [
    ...countedIn(requests, kind, true).map((said) => ({ ...said, kind })),
    ...unbuilt(requests, kind),
  ])
  return counted
    .flatMap((said): Checked[] => {
      const conclusion = conclusionOf(said)
      return conclusion ? [{ ...said, conclusion }] : []
    })
    .toSorted((a, b) => severity(a) - severity(b) || b.request.id - a.request.id)[0]
}

const severity = ({ conclusion }: Checked) => conclusions.indexOf(conclusion)

/** A request by API or cron without a build sets no status, but completes the check. */
function unbuilt(requests: readonly RequestAbout[], kind: StatusKind) {
  if (kind !== 'api' && kind !== 'cron') return []
  const newest = requests.findLast(({ event_type }) => event_type === kind)
  const said = newest && newest.build === null && says(newest, kind, true)
  return said ? [{ ...said, kind }] : []
}

/** How the check of this request ends; undefined where there is nothing to complete. */
export function conclusionOf({ state, request, only }: Said): Conclusion | undefined {
  const { result, build, checks } = request
  if (result === null) return undefined
  if (only === 'over') return 'cancelled'
  const isAtFault =
    unusableCheck(checks) !== undefined || hasFaultyCondition(checks) || isJobUnreadable(checks)
  if (isAtFault) return 'failure'
  if (build) return build.is_unusable ? 'failure' : 'neutral'
  if (state === 'pending') return 'action_required'
  return state === 'success' ? 'skipped' : 'failure'
}
