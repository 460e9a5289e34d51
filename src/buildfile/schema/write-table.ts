import type { TypeData } from './data.ts'
import { deriveTypes } from './derive.ts'
import type { SchemaFiles } from './document.ts'
import { withKeysOfMaps } from './keys-of-maps.ts'

/**
 * The source text of `table.ts`. Reading the schema and deriving its types takes about 20 ms, which
 * `lint` would spend at each start; the table takes 2.
 */
export function writeTable(files: SchemaFiles): string {
  const types = deriveTypes(files)
  const entries = [...types].map(
    ([name, type]) =>
      `  ${quoted(name)}: ${quoted(JSON.stringify(withKeysOfMaps(type, types)))},\n`,
  )
  return `// Written by \`npm run docs\` from \`schemas/\`: change it there.

/** The types by name, each as JSON, so that an unused one costs nothing. */
export const table: Readonly<Record<string, string>> = {
${entries.join('')}}

/** The names of all keys that there are anywhere, as JSON. */
export const allKeys = ${listed(keyNames(types.values()))}

/** The names of keys whose values are to be encrypted, as JSON. */
export const secureKeys = ${listed(keyNames(types.values(), isSecure))}
`
}

function listed(names: readonly string[]): string {
  return quoted(JSON.stringify(names))
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

/** The names of all keys in these types whose own type is wanted. */
function keyNames(
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

/** Whether values of this type should be encrypted. */
function isSecure(data: TypeData): boolean {
  if (!('kind' in data)) return false
  if (data.kind === 'seq') return isSecure(data.of)
  return data.kind === 'secure' || (data.kind === 'any' && data.of.some(isSecure))
}
