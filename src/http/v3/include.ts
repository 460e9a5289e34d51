import { wrongParams } from '../../domain/errors.ts'
import { listIn } from '../list-in.ts'

const item = /^(\w+)\.(@?\w+)$/

/**
 * Reads `include`: `type.attribute`, several separated by commas, as `include[]` or with repeated
 * names. `owner` means users and organizations alike.
 */
export function readInclude(parameter: unknown): Map<string, Set<string>> {
  const include = new Map<string, Set<string>>()
  for (const text of listIn(parameter)) {
    const [, type, attribute] = item.exec(text) ?? []
    if (type === undefined || attribute === undefined) {
      throw wrongParams(`"${text}" is not of the form type.attribute`)
    }
    const types = type === 'owner' ? ['user', 'organization'] : [type]
    for (const each of types) {
      include.set(each, (include.get(each) ?? new Set()).add(attribute))
    }
  }
  return include
}
