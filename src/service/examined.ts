export interface Examined {
  /** What was looked at. */
  subject: string
  verdict: 'ok' | 'warning' | 'failure'
  /** What was found, in one sentence. */
  found: string
  /** What to do about it, unless all is well. */
  remedy?: string
}
