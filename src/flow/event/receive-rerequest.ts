import type { RerequestEvent } from '../../domain/event.ts'
import type { EventOutcome } from './event-outcome.ts'

/** Checks cannot be repeated yet. */
export function receiveRerequest({ subject }: RerequestEvent): EventOutcome {
  return {
    ignored: `asked to repeat ${subject}, but this version cannot restart builds: push again instead`,
  }
}
