import type { Draft } from '../drafts/draft.ts'
import type { Judge } from './judge.ts'

/** An entry of `exclude` or `allow_failures`. */
export interface JobRule {
  /** Its index in the list, from 0. */
  index: number
  condition: unknown
  /** Whether the job matches the entry, apart from its condition. */
  fits(draft: Draft): boolean
}

/** Finds the first rule that fits a job and whose condition holds. */
export function ruleFor(
  draft: Draft,
  rules: readonly JobRule[],
  judge: Judge,
  skipped: (condition: unknown) => void,
): JobRule | undefined {
  return rules.find((rule) => {
    if (!rule.fits(draft)) return false
    const holds = judge.holdsFor(draft, rule.condition)
    if (!holds) skipped(rule.condition)
    return holds
  })
}
