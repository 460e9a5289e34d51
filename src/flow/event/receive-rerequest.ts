import type { RerequestEvent } from '../../domain/event.ts'
import type { EventOutcome } from './event-outcome.ts'

/** Says that checks cannot be repeated yet. */
export function receiveRerequest({ what }: RerequestEvent): EventOutcome {
  return {
    ignored: `asked to repeat ${what}, but this version cannot restart builds: push again instead`,
  }
}
