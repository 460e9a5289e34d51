import type { VariableName } from './condition.ts'

/** The data that conditions are evaluated with; absent and null are the same. */
export type ConditionData = { readonly [name in VariableName]?: unknown } & {
  /** Definitions in shell syntax, or maps of variables. The last value of a name counts. */
  readonly env?: readonly (string | Readonly<Record<string, unknown>>)[]
  /** Shared by all conditions of a build; without it, only single matches are limited. */
  readonly effort?: Effort
}

/** The remaining cost of regular expressions. Cost is counted, not timed, so results are reproducible. */
export interface Effort {
  left: number
}

/** A few seconds at worst. */
export const effortOfBuild = (): Effort => ({ left: 300_000_000 })
