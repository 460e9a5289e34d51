// Writes the table of types that the reader of build files loads, from the schema.
import { writeFileSync } from 'node:fs'
import { writeTable } from '../src/buildfile/schema/write-table.ts'
import { readSchemaFiles } from '../src/service/contexts.ts'

writeFileSync(
  new URL('../src/buildfile/schema/table.ts', import.meta.url),
  writeTable(readSchemaFiles()),
)
