/** A parameter with several values: separated by commas, as `name[]`, or with repeated names. */
export function listIn(parameter: unknown): string[] {
  const values = Array.isArray(parameter) ? parameter : [parameter]
  return values
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
