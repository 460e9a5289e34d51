import type { RerequestEvent } from '../../domain/event.ts'
import type { Received } from './received.ts'

/** Says that checks cannot be repeated yet. */
export function receiveRerequest({ what }: RerequestEvent): Received {
  return {
    ignored: `asked to repeat ${what}, but this version cannot restart builds: push again instead`,
  }
}
