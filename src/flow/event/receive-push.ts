import { type PushEvent, readRef } from '../../domain/event.ts'
import { isQueueBranch } from '../../domain/request/merge-queue.ts'
import type { Repository } from '../../domain/repository.ts'
import { findDuplicatePush, insertPush } from '../../store/pushes.ts'
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
  const duplicate = await findDuplicatePush(tx.db, push, duplicateSeconds)
  if (duplicate) return { ignored: `the same push as that of request ${duplicate.id}` }

  const commit = event.head_commit && {
    ...event.head_commit,
    repository_id: repository.id,
    ref: event.ref,
    branch: ref.name,
    tag_name: ref.kind === 'tag' ? ref.name : null,
    compare_url: event.compare_url,
  }
  const request = { ...newRequest(repository, event), ...push, event_type: 'push' as const }
  return { request: await insertPush(tx.db, { kind: ref.kind, name: ref.name, commit, request }) }
}
