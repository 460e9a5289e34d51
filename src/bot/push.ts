import type { PushEvent } from '../domain/event.ts'
import { commitFacts, factsOf, type Origin, type PushPayload } from './payload.ts'

export function pushEvent(payload: PushPayload, origin: Origin): PushEvent {
  const { ref, before, after, deleted, forced, compare, head_commit } = payload
  return {
    ...factsOf(payload, origin),
    type: 'push',
    ref,
    before,
    after,
    // Some payloads only say so by their id of zeros.
    deleted: deleted || /^0+$/.test(after),
    // Of what is created or deleted as well, some payloads say so.
    forced: forced && !deleted && !/^0+$/.test(before),
    compare_url: compare || null,
    head_commit: head_commit ? commitFacts(head_commit) : null,
  }
}
