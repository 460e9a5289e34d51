type Map = Readonly<Record<string, unknown>>

/** Whether a value of a configuration is a mapping, in any form in which it was read. */
export function isMap(value: unknown): value is Map {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is encrypted, or was meant to be: `{secure: …}`. */
export function isSecure(value: unknown): value is Map & { secure: unknown } {
  return isMap(value) && Object.hasOwn(value, 'secure')
}
