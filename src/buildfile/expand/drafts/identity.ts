/** A number for a value. Equal values have the same number, whatever the order of their keys. */
export type Identity = (value: unknown) => number

/** Numbers values from the inside out, so that each part of a file is visited once. */
export function identities(): Identity {
  const plain = new Map<unknown, number>()
  const composed = new Map<string, number>()
  const objects = new WeakMap<object, number>()

  function numbered<Key>(numbers: Map<Key, number>, key: Key): number {
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = plain.size + composed.size
    numbers.set(key, number)
    return number
  }

  function idOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return numbered(plain, value)
    const known = objects.get(value)
    if (known !== undefined) return known
    const number = numbered(composed, Array.isArray(value) ? seqText(value) : mapText(value))
    objects.set(value, number)
    return number
  }

  const seqText = (items: readonly unknown[]) => `[${items.map(idOf).join()}]`
  const mapText = (map: object) =>
    `{${Object.entries(map)
      .map(([key, value]) => `${idOf(key)}:${idOf(value)}`)
      .toSorted()
      .join()}}`

  return idOf
}
