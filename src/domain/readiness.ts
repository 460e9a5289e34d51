/** Whether one of the parts that the service needs for its work is usable. */
export interface PartReadiness {
  ok: boolean
  /** What was found, in one sentence. Anyone can read it. */
  says: string
}

/** The parts by their names. */
export type Readiness = Record<string, PartReadiness>

export function isReady(parts: Readiness): boolean {
  return Object.values(parts).every(({ ok }) => ok)
}
