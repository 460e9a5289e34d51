import type { Request } from '../../domain/request/request.ts'

/** The result of an event: the request it created, or a text that says what it changed or why nothing. */
export type EventOutcome =
  | { request: Request }
  | { noted: string }
  | { ignored: string }
  | { unknown: string }
