/** The given fields that differ from the known ones, and their former values. */
export function differing<R extends object>(
  known: R,
  given: { readonly [K in keyof R]?: R[K] | undefined },
): { changed: Partial<R>; before: Partial<R> } {
  const names = (Object.keys(given) as (keyof R)[]).filter(
    (name) => given[name] !== undefined && given[name] !== known[name],
  )
  const membersOf = (record: { readonly [K in keyof R]?: R[K] | undefined }) =>
    Object.fromEntries(names.map((name) => [name, record[name]])) as Partial<R>
  return { changed: membersOf(given), before: membersOf(known) }
}
