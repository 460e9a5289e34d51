/** One thing that was looked at on the way to a decision (D34). Stored with the record decided on. */
export interface Check {
  /** Stable name, for example `skip_command`. */
  rule: string
  passed: boolean
  /** What the rule saw, in the words of the interface. Never a secret. */
  values: Record<string, unknown>
  /** Where the rule stands, when a file made it. Lines count from 1. */
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
