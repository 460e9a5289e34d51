/** Whether a part that the service needs for its work is usable. */
export interface PartReadiness {
  ok: boolean
  /** Result of the check in one sentence, visible to everyone. */
  says: string
  /** Whether the service works without it, if less well. */
  optional?: boolean
}

/** The readiness of each part, by name. */
export type Readiness = Record<string, PartReadiness>

export function isReady(parts: Readiness): boolean {
  return Object.values(parts).every(({ ok, optional }) => ok || optional === true)
}
