import type { VariableName } from './condition.ts'

/** What a condition is held against; absent and null are the same. */
export type ConditionData = { readonly [name in VariableName]?: unknown } & {
  /** Definitions as a shell has them, or maps of variables. Of one name the last value counts. */
  readonly env?: readonly (string | Readonly<Record<string, unknown>>)[]
  /** Shared by all conditions of a build; without it, only each match has a limit. */
  readonly effort?: Effort
}

/** What regular expressions may still cost. It is counted, so the outcome is always the same. */
export interface Effort {
  left: number
}

/** Some seconds, at worst. */
export const effortOfBuild = (): Effort => ({ left: 300_000_000 })
