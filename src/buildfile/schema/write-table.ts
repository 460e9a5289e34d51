import { deriveTypes } from './derive.ts'
import type { SchemaFiles } from './document.ts'
import { isSecure, keyNames } from './key-names.ts'
import { withKeysOfMaps } from './keys-of-maps.ts'

/**
 * The source text of `table.ts`. Reading the schema and deriving its types takes some 20 ms, which
 * `lint` would feel at each start; the table takes 2.
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

/** Of those whose value is one to encrypt, as JSON. */
export const secureKeys = ${listed(keyNames(types.values(), isSecure))}
`
}

function listed(names: readonly string[]): string {
  return quoted(JSON.stringify(names))
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
