import type { Workplace } from '../harness/workplace.ts'
import type { Found } from './scene.ts'

export interface Trial {
  /** Why this machine cannot do it. */
  missing?(): Promise<string | undefined>
  /** Resolves with what was seen, and with the numbers of what was done to the service. */
  run(place: Workplace): Promise<Found & Readonly<Record<string, unknown>>>
}
