/** One condition that was checked for a decision (D34). Stored with the record it decides on. */
export interface Check {
  /** Stable name, for example `skip_command`. */
  rule: string
  passed: boolean
  /** The values that the rule compared, named as in the interface. Never a secret. */
  values: Record<string, unknown>
  /** Location of the rule, when it comes from a file. Lines count from 1. */
  source: { file: string; line: number } | null
}

export function check(
  rule: string,
  passed: boolean,
  values: Record<string, unknown> = {},
  source: Check['source'] = null,
): Check {
  return { rule, passed, values, source }
}
