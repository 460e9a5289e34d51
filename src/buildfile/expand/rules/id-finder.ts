import { type Draft, type Root, valueOf } from '../drafts/draft.ts'

/**
 * Finds the identity of a job's value by its key. Those of the last job are cached, because each job is
 * compared with many rules, most of which use the same few keys.
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
