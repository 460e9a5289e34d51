import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Schema } from '../src/buildfile/schema/document.ts'

const folder = path.resolve(import.meta.dirname, '../schemas')

/** The files of the build file's schema, by their path below `schemas/`. */
export function readSchemaFiles(): ReadonlyMap<string, Schema> {
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
