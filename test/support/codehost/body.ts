import { unprocessable } from './reply.ts'

/** The members of a JSON object or a form that someone sent. */
export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Refuses texts with half of a character, which are not kept. */
export function refuseHalves(body: Members): void {
  // JSON spells a half out, and nothing else that may be sent.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(body))) {
    throw unprocessable('Problems parsing JSON')
  }
}

/** A text that was sent; null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
