import { wrongParams } from '../../../domain/errors.ts'
import { listIn } from '../../core/list-in.ts'

/** The attributes requested with `include`, by resource type, each as the caller wrote it. */
export type Include = ReadonlyMap<string, ReadonlyMap<string, string>>

const item = /^(\w+)\.(@?\w+)$/

/**
 * Reads `include`: `type.attribute`, several separated by commas, as `include[]` or with repeated names.
 * `owner` means both users and organizations.
 */
export function readInclude(parameter: unknown): Include {
  const include = new Map<string, Map<string, string>>()
  for (const text of listIn(parameter)) {
    const [, type, attribute] = item.exec(text) ?? []
    if (type === undefined || attribute === undefined) {
      throw wrongParams(`"${text}" is not of the form type.attribute`)
    }
    const types = type === 'owner' ? ['user', 'organization'] : [type]
    for (const each of types) {
      const attributes = include.get(each) ?? new Map<string, string>()
      if (!attributes.has(attribute)) attributes.set(attribute, text)
      include.set(each, attributes)
    }
  }
  return include
}
