export interface Examined {
  /** What was checked. */
  subject: string
  verdict: 'ok' | 'warning' | 'failure'
  /** What was found, in one sentence. */
  found: string
  /** What to do about it, if anything. */
  remedy?: string
}
