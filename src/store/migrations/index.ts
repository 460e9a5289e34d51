import type { Migration } from '../migrate.ts'
import { schema } from './001-schema.ts'
import { importErrors } from './002-import-errors.ts'
import { costlyBuildFiles } from './003-costly-build-files.ts'

/** All migrations in their order. What has landed is never changed: add the next one. */
export const migrations: readonly Migration[] = [schema, importErrors, costlyBuildFiles]
