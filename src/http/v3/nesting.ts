import type { AnyResource } from './resource.ts'

/** Where in a document a record is: what it is nested in, and in which entry of the list. */
export interface Nesting {
  within: ReadonlySet<string>
  entry: number
}

/**
 * Whether records are shown already where they are to be shown again: around themselves, or as an
 * earlier entry of the list.
 */
export function nestings(resource: AnyResource, entries: readonly object[]) {
  const firsts = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    const identity = identityOf(resource, entry)
    if (identity !== undefined && !firsts.has(identity)) firsts.set(identity, index)
  }
  return {
    isShown(resource: AnyResource, model: object, { within, entry }: Nesting): boolean {
      const identity = identityOf(resource, model)
      if (identity === undefined) return false
      return within.has(identity) || (firsts.get(identity) ?? entry) < entry
    },
  }
}

/** Where the records are that a record links to. */
export function inside(resource: AnyResource, model: object, { within, entry }: Nesting): Nesting {
  const identity = identityOf(resource, model)
  return { within: identity === undefined ? within : new Set([...within, identity]), entry }
}

/** Equal for the same record; undefined for one that nothing identifies. */
function identityOf(resource: AnyResource, model: object): string | undefined {
  const href = resource.href?.(model as never)
  if (href !== undefined) return href
  return 'id' in model ? `${resource.type} ${String(model.id)}` : undefined
}
