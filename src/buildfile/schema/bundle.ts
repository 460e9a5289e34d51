import { follow, rootFile } from './document.ts'
import type { Schema, SchemaFiles } from './document.ts'

/** The whole schema as one document without references to other documents, for editors. */
export function bundleSchema(files: SchemaFiles, id: string): Schema {
  const root = files.get(rootFile)
  if (!root) throw new Error(`there is no ${rootFile} among the schema's files`)
  const parts = [...files].filter(([file]) => file !== rootFile)
  return {
    ...inBundle(files, root, rootFile),
    $id: id,
    $defs: Object.fromEntries(
      parts.map(([file, part]) => [nameOf(file), inBundle(files, part, file)]),
    ),
  }
}

/** `parts/deploy/s3.json` is the definition `deploy.s3` of the bundle. */
function nameOf(file: string): string {
  return file
    .replace(/^parts\//, '')
    .replace(/\.json$/, '')
    .replaceAll('/', '.')
}

function inBundle(files: SchemaFiles, schema: Schema, file: string): Schema {
  return JSON.parse(JSON.stringify(schema), (keyword, value: unknown) => {
    if (keyword !== '$ref' || typeof value !== 'string') return withOwnWords(value)
    const target = follow(files, file, value)
    return `#/$defs/${nameOf(target.file)}${target.name ? `/$defs/${target.name}` : ''}`
  }) as Schema
}

/** Editors that follow a `$ref` prefer the type's texts to the key's texts next to the `$ref`. */
function withOwnWords(value: unknown): unknown {
  if (!isSchema(value)) return value
  const { $ref, ...schema } = value
  if (typeof $ref !== 'string' || typeof schema.description !== 'string') return value
  return { ...schema, allOf: [...(schema.allOf ?? []), { $ref }] }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
