import type * as resources from '../../../../src/http/v3/resources/index.ts'
import { conflictActions } from './conflicts.ts'

/** The resources of V3, and the actions of the trial. */
export function withTrial(present: typeof resources): typeof resources {
  return { ...present, actions: [...present.actions, ...conflictActions] }
}
