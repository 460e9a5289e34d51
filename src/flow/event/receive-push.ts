import { type PushEvent, readRef } from '../../domain/event.ts'
import { nowhere } from '../../domain/request/overtaken.ts'
import { isQueueBranch } from '../../domain/request/merge-queue.ts'
import type { Repository } from '../../domain/repository.ts'
import { findKnownPush, insertPush } from '../../store/pushes.ts'
import { announceLost, announceUndecided } from '../report/announce-commit.ts'
import type { Transaction } from '../transact.ts'
import type { AskedTip } from './ask-codehost.ts'
import type { EventOutcome } from './event-outcome.ts'
import { duplicateSeconds, newRequest } from './new-request.ts'
import { overtakenBy } from './overtaken-by.ts'
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
  if (known.duplicate_id !== null) {
    return { ignored: `duplicate of the push that created request ${known.duplicate_id}` }
  }
  const overtaken_by = overtakenBy(event, known, asked)
  if (overtaken_by === tipInDoubt) return tipInDoubt

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
  // What a push by force or a tag that moves leaves behind counts for less there.
  if (forced || ref.kind === 'tag') await announceLost(tx, repository, event.ref)
  return { request: inserted }
}
