import type { TypeData } from './data.ts'
import { table } from './table.ts'

/** The name of every key that there is anywhere in the language. */
export function keyNames(): ReadonlySet<string> {
  const names = new Set<string>()
  for (const json of Object.values(table)) addNames(names, JSON.parse(json) as TypeData)
  return names
}

function addNames(names: Set<string>, data: TypeData): void {
  if (!('kind' in data)) return
  if (data.kind === 'seq') addNames(names, data.of)
  if (data.kind === 'any') for (const form of data.of) addNames(names, form)
  if (data.kind !== 'map') return
  for (const [name, type] of Object.entries(data.keys)) {
    names.add(name)
    addNames(names, type)
  }
  if (data.others) addNames(names, data.others)
}
