import type { Rule } from './rule.ts'

/** All advice rules, in the order of their codes. */
export const rules: readonly Rule[] = []
