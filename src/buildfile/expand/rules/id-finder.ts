import { type Draft, type Root, valueOf } from '../drafts/draft.ts'

/**
 * Finds the numbers of what a job has under keys, of one job after the other: each is held against
 * many rules, most of which ask for the same few keys.
 */
export function idFinder(
  root: Root,
  prepare: (value: unknown) => unknown = (value) => value,
): (draft: Draft, key: string) => number {
  let current: Draft | undefined
  const ids = new Map<string, number>()
  return (draft, key) => {
    if (draft !== current) {
      current = draft
      ids.clear()
    }
    const known = ids.get(key)
    if (known !== undefined) return known
    const id = root.idOf(prepare(valueOf(root, draft, key)))
    ids.set(key, id)
    return id
  }
}
