/** Values of a list parameter: separated by commas, as `name[]`, with repeated names, or a JSON array. */
export function listIn(parameter: unknown): string[] {
  if (parameter === undefined) return []
  const values = Array.isArray(parameter) ? parameter : [parameter]
  return values
    .flatMap((value) => (isScalar(value) ? String(value).split(',') : []))
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
