import type { TypeData } from './data.ts'

/** The name of every key that there is anywhere in these types, if its own type is wanted. */
export function keyNames(
  types: Iterable<TypeData>,
  isWanted: (type: TypeData) => boolean = () => true,
): string[] {
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

  for (const type of types) visit(type)
  return [...names]
}

/** Whether a value of this type is one to encrypt. */
export function isSecure(data: TypeData): boolean {
  if (!('kind' in data)) return false
  if (data.kind === 'seq') return isSecure(data.of)
  return data.kind === 'secure' || (data.kind === 'any' && data.of.some(isSecure))
}
