import { wrongParams } from '../../domain/errors.ts'
import type { Include } from './include.ts'
import { type AnyResource, attributesOf } from './resource.ts'

/** The attributes of a resource that a call includes. Throws where it cannot show one of them. */
export function includedIn(resource: AnyResource, include: Include): ReadonlySet<string> {
  const requested = include.get(resource.type) ?? new Map<string, string>()
  const known = new Set([...attributesOf(resource), '@permissions'])
  for (const [name, written] of requested) {
    if (!known.has(name)) throw wrongParams(`"${written}" cannot be included`)
  }
  return new Set([...requested.keys()].filter((name) => !name.startsWith('@')))
}
