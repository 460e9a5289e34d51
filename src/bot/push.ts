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
    // Some payloads indicate a deletion only by the id of zeros.
    deleted: deleted || /^0+$/.test(after),
    // Some payloads also mark created or deleted refs as forced.
    forced: forced && !deleted && !/^0+$/.test(before),
    // Repositories of this machine have no page for a comparison.
    compare_url: /^https?:/.test(compare) ? compare : null,
    head_commit: head_commit ? commitFacts(head_commit) : null,
  }
}
