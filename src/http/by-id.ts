/** Looks up records of a list by their ids; null for a missing id or record. */
export function byId<T extends { id: number }>(
  records: readonly T[],
): (id: number | null) => T | null {
  const map = new Map(records.map((record) => [record.id, record]))
  return (id) => (id === null ? null : (map.get(id) ?? null))
}
