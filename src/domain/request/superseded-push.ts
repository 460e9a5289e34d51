import { type Check, check } from './check.ts'
import type { Request } from './request.ts'

/** The commit id of a branch or tag that does not exist. */
export const nowhere = '0'.repeat(40)

/** The position of the ref when a late push arrived, to follow "the branch …"; undefined for other pushes. */
export function overtakenText({ overtaken_by }: Pick<Request, 'overtaken_by'>): string | undefined {
  if (overtaken_by === null) return undefined
  return overtaken_by === nowhere ? 'was deleted already' : `was at ${overtaken_by} already`
}

/** Decides nothing, as each push is built; shows why the build is not shown as the branch's last build. */
export function lateChecks({ after_sha, overtaken_by }: Request): Check[] {
  if (overtaken_by === null) return []
  return [check('late_push', true, { sha: after_sha, at_codehost: overtaken_by })]
}
