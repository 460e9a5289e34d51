import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Schema, SchemaFiles } from '../buildfile/schema/document.ts'

const folder = fileURLToPath(new URL('../../schemas', import.meta.url))

/** The files of the build file's schema, by their path below `schemas/`. */
export function readSchemaFiles(): SchemaFiles {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .toSorted()
  return new Map(
    files.map((file) => [
      file.split(path.sep).join('/'),
      JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Schema,
    ]),
  )
}
