import { grouped } from '../grouped.ts'
import type { Request } from '../request/request.ts'
import { nowhere } from '../request/superseded-push.ts'

export type PushOfRef = Pick<Request, 'id' | 'before_sha' | 'after_sha' | 'forced' | 'overtaken_by'>

/**
 * Whether a branch or tag that was at `sha` has moved away, so that it no longer holds the commit built
 * there (D49 e). `since` is the id of the last push that led there; `pushes` are all pushes of the ref.
 * Ids give the code host's order except for late pushes: these are followed from one to the next, and
 * back to earlier pushes.
 */
export function hasMoved(
  ref: string,
  sha: string,
  since: number,
  pushes: readonly PushOfRef[],
): boolean {
  const takesAway = (push: PushOfRef) =>
    push.after_sha !== sha &&
    (push.forced || push.before_sha === nowhere || ref.startsWith('refs/tags/'))
  const earlier = placesBefore(sha, pushes)
  return (
    pushes.some(
      (push) => push.id > since && !isLate(push) && takesAway(push) && !earlier.has(push.after_sha),
    ) || isLedAway(sha, since, pushes, takesAway)
  )
}

const isLate = ({ overtaken_by }: PushOfRef) => overtaken_by !== null

/** Commits at which the ref was before a late push moved it to `sha`. */
function placesBefore(sha: string, pushes: readonly PushOfRef[]): Set<string | null> {
  const late = pushes.filter((push) => isLate(push) && push.after_sha === sha)
  return withPlacesBehind(
    late.map(({ before_sha }) => before_sha),
    pushes,
  )
}

/** Whether a push that continues from the commit, directly or through others, takes it away for good. */
function isLedAway(
  sha: string,
  since: number,
  pushes: readonly PushOfRef[],
  takesAway: (push: PushOfRef) => boolean,
): boolean {
  const pushesFrom = grouped(pushes, ({ before_sha }) => before_sha)
  const ahead = new Set<PushOfRef>()
  const goOn = (place: string | null, from: number) => {
    for (const push of pushesFrom.get(place) ?? []) if (push.id > from) ahead.add(push)
  }
  goOn(sha, since)
  // A push that continues from a late push may have been received before it.
  for (const push of ahead) goOn(push.after_sha, isLate(push) ? 0 : since)
  // If only pushes ahead lead to the commit, the first of them brought the ref there; the ref did not go back.
  const comesBack = pushes.some((push) => push.after_sha === sha && !ahead.has(push))
  return comesBack ? isFinal(sha, ahead, takesAway) : [...ahead].some(takesAway)
}

/**
 * Whether one of these pushes takes the ref away, and none leads back. After a push that did not come late,
 * only newer pushes can lead back: the others had happened when the code host confirmed it.
 */
function isFinal(
  sha: string,
  ahead: ReadonlySet<PushOfRef>,
  takesAway: (push: PushOfRef) => boolean,
): boolean {
  const away = [...ahead].filter(takesAway)
  const back = withPlacesBehind([sha], [...ahead])
  if (away.some(({ after_sha }) => !back.has(after_sha))) return true
  const newest = away.filter((push) => !isLate(push)).toSorted((a, b) => b.id - a.id)[0]
  if (!newest) return false
  const newer = [...ahead].filter(({ id }) => id > newest.id)
  return !withPlacesBehind([sha], newer).has(newest.after_sha)
}

/** These places, and all places from which pushes lead to them. */
function withPlacesBehind(
  places: readonly (string | null)[],
  pushes: readonly PushOfRef[],
): Set<string | null> {
  const pushesTo = grouped(pushes, ({ after_sha }) => after_sha)
  const found = new Set(places)
  // The loop also visits members that are added while it runs.
  for (const place of found) {
    for (const { before_sha } of pushesTo.get(place) ?? []) found.add(before_sha)
  }
  return found
}
