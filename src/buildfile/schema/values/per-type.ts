/** A value derived from a type, computed once per type at first use. */
export function perType<T extends object, V>(make: (type: T) => V): (type: T) => V {
  const made = new WeakMap<T, V>()
  return (type) => {
    const known = made.get(type)
    if (known !== undefined) return known
    const value = make(type)
    made.set(type, value)
    return value
  }
}
