import { type Check, check } from './check.ts'
import { isApiSource, placeText, type RejectionReason } from './request.ts'
import { visible } from '../visible.ts'

export interface Rejection {
  reason: RejectionReason
  /** For users: what happened, and what would make it build. */
  message: string
}

/** Whether a request creates a build, and every check that was made to decide it (D34). */
export interface Decision {
  checks: Check[]
  rejection: Rejection | null
}

/** One reason for which a request may be rejected. */
export interface Rule<Facts> {
  reason: RejectionReason
  /** Null where the rule does not apply. */
  evaluate(facts: Facts): Check | null
  /** The sentence of the rejection; what acts on a terminal or hides from the eye is spelt out in it. */
  message(facts: Facts): string
}

/** Evaluates the rules in their order, up to the first that fails: that one decides. */
export function decide<Facts>(rules: readonly Rule<Facts>[], facts: Facts): Decision {
  const checks: Check[] = []
  for (const rule of rules) {
    const result = rule.evaluate(facts)
    if (result === null) continue
    checks.push(result)
    if (!result.passed) {
      const message = visible(rule.message(facts))
      return { checks, rejection: { reason: rule.reason, message } }
    }
  }
  return { checks, rejection: null }
}

/** A build with more jobs than this is errored. */
export const maximumJobs = 200

/**
 * The check of a condition that could not be read, and so counted as false (D38), that never holds,
 * whatever is built, or that may be false for a part of it that never holds; undefined if none.
 */
export function faultyCondition(checks: readonly Check[]): Check | undefined {
  return checks.find(
    ({ rule, passed, values }) =>
      rule === 'condition' &&
      !passed &&
      (values.error ?? values.never ?? values.suspect ?? null) !== null,
  )
}

/** Whether such a condition left out the build, or one that cannot be read a job of it. */
export function hasFaultyCondition(checks: readonly Check[]): boolean {
  return faultyCondition(checks) !== undefined || checks.some(isFaultyOfJob)
}

/** Whether a job is left out since its condition cannot be read. */
export function isJobUnreadable(checks: readonly Check[]): boolean {
  return checks.some(({ rule, values }) => rule === 'jobs' && values.unreadable === true)
}

function isFaultyOfJob({ rule, passed, values }: Check): boolean {
  return rule === 'jobs' && !passed && (values.unreadable ?? values.never) === true
}

/** The check that the build file can be used, which fails with what is wrong (CF-05). */
export function usableCheck(says: string, source: Check['source']): Check {
  return check(usable, false, { says: visible(says) }, source)
}

/** The check that the build file could be fetched, which fails with what stood in the way (CF-10). */
export function fetchedCheck(says: string): Check {
  return check(fetched, false, { says: visible(says) })
}

export function unusableCheck(checks: readonly Check[]): Check | undefined {
  return checks.find(({ rule, passed }) => [usable, fetched].includes(rule) && !passed)
}

/** Whether it is not the build file itself that is at fault. */
export function isUnfetched({ rule }: Check): boolean {
  return rule === fetched
}

/** What is wrong with a build file that cannot be used, in a line: where, and what. */
export function unusableText(checks: readonly Check[]): string | undefined {
  const found = unusableCheck(checks)
  if (!found) return
  const { values, source } = found
  if (source === null) return String(values.says)
  return `${placeText(source)}${isApiSource(source.file) ? ':' : ''} ${String(values.says)}`
}

const usable = 'usable'
const fetched = 'fetched'

/** The rejection of a request for which all attempts to decide failed. */
export const internalError: Rejection = {
  reason: 'internal_error',
  message:
    'internal error: the service could not process this event; the operator finds the cause in the log',
}
