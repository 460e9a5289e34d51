export interface Examined {
  /** Name of the part that was checked. */
  subject: string
  verdict: 'ok' | 'warning' | 'failure'
  /** The finding, in one sentence. */
  found: string
  /** What to do about the finding, if anything. */
  remedy?: string
}
