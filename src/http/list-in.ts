/** A parameter that may hold several values: by commas, `name[]` or repeated names. */
export function listIn(given: unknown): string[] {
  const values = Array.isArray(given) ? given : [given]
  return values
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
