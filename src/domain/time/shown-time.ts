/** A time for use in sentences, to the second: `2026-01-02T12:00:00Z`. */
export function shownTime(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z')
}
