import { type Check, check } from './check.ts'
import type { Request } from './request.ts'

/** Where a branch or tag is that there is not any more. */
export const nowhere = '0'.repeat(40)

/** What a push that came late was overtaken by, in words: behind "the branch …"; undefined for any other request. */
export function overtakenText({ overtaken_by }: Pick<Request, 'overtaken_by'>): string | undefined {
  if (overtaken_by === null) return undefined
  return overtaken_by === nowhere ? 'was deleted already' : `was at ${overtaken_by} already`
}

/** Decides nothing, since each push is built; it says why its build is not shown as the last one of the branch. */
export function lateChecks({ after_sha, overtaken_by }: Request): Check[] {
  if (overtaken_by === null) return []
  return [check('late_push', true, { sha: after_sha, at_codehost: overtaken_by })]
}
