type Map = Readonly<Record<string, unknown>>

/** Whether a value of a configuration, in whatever form it was read, is a map. */
export function isMap(value: unknown): value is Map {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it is encrypted, or was to be: `{secure: …}`. */
export function isSecure(value: unknown): value is Map & { secure: unknown } {
  return isMap(value) && Object.hasOwn(value, 'secure')
}
