/** Camel case and dashes as lower case with underscores. */
export function underscored(key: string): string {
  return key
    .replaceAll(/[A-Z](?=[A-Z][a-z])/g, '$&_')
    .replaceAll(/[a-z\d](?=[A-Z])/g, '$&_')
    .replaceAll('-', '_')
    .toLowerCase()
}

/** A key without characters that no key has. */
export function cleanKey(key: string): string {
  const plain = key.replaceAll(/[-\s]/g, '_').replaceAll(/[^\w.]/g, '')
  return withoutMargins(plain).replaceAll('__', '_')
}

/** One underscore at the start makes a key custom; more of them, or any at the end, do not. */
function withoutMargins(key: string): string {
  let start = 0
  while (key.charAt(start) === '_') start += 1
  let end = key.length
  while (end > start && key.charAt(end - 1) === '_') end -= 1
  return key.slice(start >= 2 ? start : 0, end)
}
