import { type PushEvent, readRef } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { isQueueBranch } from '../../domain/request/merge-queue.ts'
import { nowhere } from '../../domain/request/superseded-push.ts'
import { findKnownPush, insertPush, type KnownPush } from '../../store/commits/pushes.ts'
import { announceLost, announceUndecided } from '../statuses/announce-commit.ts'
import type { Transaction } from '../transact.ts'
import type { AskedTip } from './ask-codehost.ts'
import type { EventOutcome } from './event-outcome.ts'
import { duplicateSeconds, newRequest } from './new-request.ts'
import { endRef, tipInDoubt } from './receive-ref.ts'

/** Creates a request for the tip of a branch or tag that was pushed. */
export async function receivePush(
  tx: Transaction,
  repository: Repository,
  event: PushEvent,
  asked?: AskedTip,
): Promise<EventOutcome | typeof tipInDoubt> {
  const ref = readRef(event.ref)
  if (ref.kind === 'other') return { ignored: `a push to ${event.ref} builds nothing` }
  if (isQueueBranch(ref.name)) return { noted: `${ref.name} belongs to a merge queue` }
  if (event.deleted) {
    const ended = await endRef(tx, repository, { ref_type: ref.kind, name: ref.name }, asked)
    return ended !== tipInDoubt && 'noted' in ended ? { ignored: ended.noted } : ended
  }

  const push = {
    repository_id: repository.id,
    ref: event.ref,
    before_sha: event.before,
    after_sha: event.after,
  }
  const { forced } = event
  const known = await findKnownPush(tx.db, push, duplicateSeconds)
  const { duplicate } = known
  const repeats = { ignored: `duplicate of the push that created request ${duplicate?.id}` }
  if (duplicate?.is_late === false) return repeats
  const overtaken_by = overtakenBy(event, known, asked)
  if (overtaken_by === tipInDoubt) return tipInDoubt
  if (duplicate && overtaken_by !== null) return repeats

  const commit = event.head_commit && {
    ...event.head_commit,
    repository_id: repository.id,
    ref: event.ref,
    branch: ref.name,
    tag_name: ref.kind === 'tag' ? ref.name : null,
    compare_url: event.compare_url,
  }
  const about = { ...newRequest(repository, event), ...push, forced, overtaken_by }
  const request = { ...about, event_type: 'push' as const }
  const isGone = overtaken_by === nowhere
  const pushed = { kind: ref.kind, name: ref.name, isGone, commit, request }
  const inserted = await insertPush(tx.db, pushed)
  await announceUndecided(tx, inserted)
  // Commits that this push removes from the ref, or that a late push shows to be removed, count less.
  const isAnew = known.is_gone || (event.before === nowhere && known.newest_sha !== null)
  const leaves = forced || ref.kind === 'tag' || isAnew || overtaken_by !== null
  if (leaves) await announceLost(tx, repository, event.ref)
  return { request: inserted }
}

/**
 * The commit that the branch or tag was already at when a push came late; null for a push to its current
 * commit, as far as is known. The code host is queried about pushes that do not continue the newest one, that
 * another push has continued, or that are to a deleted ref.
 */
function overtakenBy(
  { before, after, head_commit }: Pick<PushEvent, 'before' | 'after' | 'head_commit'>,
  { newest_sha, is_followed, is_gone }: KnownPush,
  asked: AskedTip | undefined,
): string | null | typeof tipInDoubt {
  const goesOn = newest_sha === null || newest_sha === before || newest_sha === after
  if (!is_gone && goesOn && !is_followed) return null
  if (!asked) return tipInDoubt
  if (asked.sha === null) return nowhere
  // The code host refuses to show the ref: a push that continues the known one is built.
  if (asked.sha === undefined && goesOn) return null
  // An annotated tag has an id of its own.
  if (asked.sha === after || asked.sha === head_commit?.sha) return null
  // Between two known pushes there may be a third, whose event is still to come.
  if (is_followed || asked.sha === newest_sha) return asked.sha ?? newest_sha
  return null
}
