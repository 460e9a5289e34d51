import type { TypeData } from './data.ts'
import { table } from './table.ts'

/** The name of every key that there is anywhere in the language, if its type is wanted. */
export function keyNames(isWanted: (type: TypeData) => boolean = () => true): ReadonlySet<string> {
  const names = new Set<string>()

  function visit(data: TypeData): void {
    if (!('kind' in data)) return
    if (data.kind === 'seq') visit(data.of)
    if (data.kind === 'any') for (const form of data.of) visit(form)
    if (data.kind !== 'map') return
    for (const [name, type] of Object.entries(data.keys)) {
      if (isWanted(type)) names.add(name)
      visit(type)
    }
    if (data.others) visit(data.others)
  }

  for (const json of Object.values(table)) visit(JSON.parse(json) as TypeData)
  return names
}
