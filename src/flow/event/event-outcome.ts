import type { Request } from '../../domain/request.ts'

/** What became of an event: the request it made, or in words what it changed, or why nothing. */
export type EventOutcome =
  { request: Request } | { noted: string } | { ignored: string } | { unknown: string }
