import { type RequestAbout, shownBuild } from '../request/about.ts'
import { isAtFault } from '../request/decision.ts'
import { countedIn, counting, type Said, says } from './commit-status.ts'
import { type StatusKind, statusKinds } from './status.ts'

/** The possible conclusions of a commit's check, the most severe first. */
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
 * The request whose build file decides the check of a commit: the worst of the requests that count in
 * any context, the newest on a tie (D51). Undefined if nothing is decided, or there is no file to check.
 */
export function checkedOf(requests: readonly RequestAbout[]): Checked | undefined {
  const counted = statusKinds.flatMap((kind) => [
    ...countedIn(requests, kind, true).map((said) => ({ ...said, kind })),
    ...unbuilt(requests, kind),
  ])
  return counting(counted)
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

/** The conclusion of the check for this request; undefined if there is nothing to complete. */
export function conclusionOf({ state, request, only }: Said): Conclusion | undefined {
  const { result, checks } = request
  const build = shownBuild(request)
  if (result === null) return undefined
  if (only === 'over') return 'cancelled'
  if (isAtFault(checks)) return 'failure'
  if (build) return build.is_unusable ? 'failure' : 'neutral'
  if (state === 'pending') return 'action_required'
  return state === 'success' ? 'skipped' : 'failure'
}
