import type { Action } from '../../v3/core/action.ts'
import type { Collection } from '../../v3/core/collection.ts'
import type { AnyResource } from '../../v3/core/resource.ts'
import { v3Actions } from '../../v3/endpoints.ts'
import { collections, registry } from '../../v3/resources/index.ts'

/** A type of resource, a list, or a type that has only actions, such as the linter. */
export interface ExplorerEntry {
  type: string
  resource: AnyResource | undefined
  collection: Collection | undefined
  actions: readonly Action[]
}

/** Everything that V3 has, by its type. */
export const catalogue: readonly ExplorerEntry[] = [
  ...new Set([
    ...Object.keys(registry),
    ...Object.keys(collections),
    ...v3Actions.map(({ resource }) => resource),
  ]),
]
  .toSorted()
  .map((type) => ({
    type,
    resource: registry[type],
    collection: collections[type],
    actions: v3Actions.filter(({ resource }) => resource === type),
  }))
