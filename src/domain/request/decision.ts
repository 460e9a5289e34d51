import { visible } from '../text/escape-control-characters.ts'
import { type Check, check } from './check.ts'
import { isApiSource, placeText, type RejectionReason } from './request.ts'

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
  /** Null if the rule does not apply. */
  evaluate(facts: Facts): Check | null
  /** The rejection message; control and invisible characters are escaped in it. */
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
 * The check of a faulty condition, undefined if there is none: a condition that could not be read, and
 * so counted as false (D38), that never holds for any build, or that may be false only because
 * one part of it never holds.
 */
export function faultyCondition(checks: readonly Check[]): Check | undefined {
  return checks.find(
    ({ rule, passed, values }) =>
      rule === 'condition' &&
      !passed &&
      (values.error ?? values.never ?? values.suspect ?? null) !== null,
  )
}

/** Whether a faulty condition left out the build, or a job of a build without remaining jobs. */
export function hasFaultyCondition(checks: readonly Check[]): boolean {
  return faultyCondition(checks) !== undefined || checks.some(isFaultyOfJob)
}

/** Whether a job is left out because its condition cannot be read. */
export function isJobUnreadable(checks: readonly Check[]): boolean {
  return checks.some(({ rule, values }) => rule === 'jobs' && values.unreadable === true)
}

/** Whether the decision comes from a fault in the build file, rather than from what the file requests. */
export function isAtFault(checks: readonly Check[]): boolean {
  return (
    unusableCheck(checks) !== undefined || hasFaultyCondition(checks) || isJobUnreadable(checks)
  )
}

function isFaultyOfJob({ rule, passed, values }: Check): boolean {
  return rule === 'jobs' && !passed && (values.unreadable ?? values.never) === true
}

/** The failed check that the build file is usable, with the error (CF-05). */
export function usableCheck(says: string, source: Check['source']): Check {
  return check(usable, false, { says: visible(says) }, source)
}

/** The failed check that the build file could be fetched, with the cause (CF-10). */
export function fetchedCheck(says: string): Check {
  return check(fetched, false, { says: visible(says) })
}

export function unusableCheck(checks: readonly Check[]): Check | undefined {
  return checks.find(({ rule, passed }) => [usable, fetched].includes(rule) && !passed)
}

/** Whether the build file could not be fetched, so that the file itself is not at fault. */
export function isUnfetched({ rule }: Check): boolean {
  return rule === fetched
}

/** The error of an unusable build file in one line: its place, and the error. */
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
    'internal error: the service could not process this event; the cause is in the log of the service',
}
