import type { Check } from './check.ts'
import type { RejectionReason } from './request.ts'

export interface Rejection {
  reason: RejectionReason
  /** For people: what happened, and what would make it build. */
  message: string
}

/** Whether a request makes a build, and everything that was looked at to know (D34). */
export interface Decision {
  checks: Check[]
  rejection: Rejection | null
}

/** One thing that may keep a request from being built. */
export interface Rule<Facts> {
  reason: RejectionReason
  /** Null where the rule does not apply. */
  look(facts: Facts): Check | null
  says(facts: Facts): string
}

/** Asks the rules in their order; the first that fails decides, and none is asked after it. */
export function decide<Facts>(rules: readonly Rule<Facts>[], facts: Facts): Decision {
  const checks: Check[] = []
  for (const rule of rules) {
    const looked = rule.look(facts)
    if (looked === null) continue
    checks.push(looked)
    if (!looked.passed) {
      return { checks, rejection: { reason: rule.reason, message: rule.says(facts) } }
    }
  }
  return { checks, rejection: null }
}

/** More jobs than this make an errored build. */
export const maximumJobs = 200

/** Whether a status `success` is posted for it: somebody wanted no build (NT-08). */
export function isSkippedOnPurpose(reason: RejectionReason): boolean {
  return purposes.includes(reason)
}

const purposes: readonly RejectionReason[] = [
  'skip_command',
  'pushes_disabled',
  'pull_requests_disabled',
  'pages_branch',
  'branch_excluded',
  'condition',
]

/** The sentence of a request that could not be decided on, however often it was tried. */
export const internalError: Rejection = {
  reason: 'internal_error',
  message:
    'internal error: the service could not process this event; its operator finds the cause in the log',
}

/** Milliseconds until the merge commit is asked for again: 1, 2, 4, 8, 16, 30, 30 … s (WH-33). */
export function mergeCommitPause(waits: number): number | undefined {
  const pauses = [1, 2, 4, 8, 16, 30, 30, 30, 30, 29]
  const pause = pauses[waits]
  return pause === undefined ? undefined : pause * 1000
}
