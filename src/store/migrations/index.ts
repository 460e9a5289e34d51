import type { Migration } from '../migrate.ts'
import { firstRelease } from './0.1.0.ts'
import { secondRelease } from './0.2.0.ts'

/** All migrations in their order. A released migration is never changed: add another one. */
export const migrations: readonly Migration[] = [firstRelease, secondRelease]
