import type { Request } from '../../domain/request/request.ts'

/** The result of an event: the request it created, or a text about its changes or why there are none. */
export type EventOutcome =
  | { request: Request }
  | { noted: string }
  | { ignored: string }
  | { unknown: string }
