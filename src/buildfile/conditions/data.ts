import type { VariableName } from './condition.ts'

/** What a condition is held against; absent and null are the same. */
export type ConditionData = { readonly [name in VariableName]?: unknown } & {
  /** Definitions as a shell has them, or maps of variables. Of one name the last value counts. */
  readonly env?: readonly (string | Readonly<Record<string, unknown>>)[]
}
