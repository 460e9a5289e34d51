import { sql } from 'kysely'
import { SetupError } from '../../domain/errors.ts'
import type { Database } from '../tables.ts'
import { shapeOf } from './shape.ts'

/** The migrations that became the first release (`docs/decisions/035`). */
const namesBefore: readonly string[] = [
  '001-schema',
  '002-import-errors',
  '003-faults',
  '004-key-fingerprint',
  '005-costly-build-files',
  '006-codehost-waits',
  '007-deliveries-and-slugs',
  '008-order-of-pull-requests',
  '009-lists-and-features',
  '010-limited-tokens',
  '011-requests-and-crons',
  '012-builds-of-senders',
  '012-indexes-of-lists',
  '014-sessions',
  '015-user-syncs',
  '017-notifications',
  '018-catch-up-and-app',
  '022-orders-and-filters-of-lists',
  '023-linked-tokens',
  '024-commits-of-deliveries',
  '025-notices-of-ends',
  '026-found-versions',
  '027-builds-of-hidden-requests',
  '028-order-of-configs',
  '029-packed-bodies',
  '030-indexes-of-counts',
  '031-variables-of-requests',
  '032-variables-of-owners',
  '033-keys-of-logins',
  '034-tokens-and-rights-of-users',
  '035-repeated-and-late-pushes',
  '036-key-of-body-hashes',
  '037-fewer-indexes-of-jobs',
  '039-forks-by-ids',
  '040-seen-tags-and-paused-crons',
  '041-statuses-of-commits',
  '042-machines-of-jobs',
  '043-remedies-of-reports',
  '044-former-push-statuses',
  '045-base-branches-of-builds',
  '046-addresses-of-changes',
  '047-attempts-and-cancels',
  '048-names-of-contexts',
  '049-idempotent-calls',
]

/** The last commit that has these migrations. */
export const commitBefore = '8599f693d20358009489cd6d675d745473c9e8d0'

const expected = 'build_service_expected'

interface Release {
  name: string
  createTables(db: Database): Promise<void>
}

/** Whether these migrations are of a version before the first release. */
export const isBefore = (done: readonly string[]) => namesBefore.some((name) => done.includes(name))

/**
 * Adopts a database made before the first release as a database of the release, in the open transaction.
 * `done` are the migrations that it has. Throws if some are missing, or its tables differ from the
 * tables after the last of them.
 */
export async function adoptDatabase(
  tx: Database,
  done: ReadonlySet<string>,
  release: Release,
): Promise<void> {
  if (!isBefore([...done])) return
  if (namesBefore.some((name) => !done.has(name))) {
    throw new SetupError(
      `the database was made by a version before ${release.name} that is too old to be upgraded: ` +
        `start the version of commit ${commitBefore} once, then this one`,
    )
  }
  await sql`drop table if exists installation_keys`.execute(tx)
  const differing = await differencesToRelease(tx, release)
  if (differing.length > 0) {
    throw new SetupError(
      `the tables of the database are not those of version ${release.name} (${differing.slice(0, 3).join('; ')}): ` +
        'undo the changes that were made to them, or restore a backup',
    )
  }
  await sql`delete from migrations where name = any(${namesBefore}::text[])`.execute(tx)
  await sql`insert into migrations (name) values (${release.name})`.execute(tx)
}

/** The lines of the shape that are only in the release, or only in the tables of the database. */
async function differencesToRelease(tx: Database, { createTables }: Release): Promise<string[]> {
  const { rows } = await sql<{ own: string; path: string }>`
    select current_schema() as own, current_setting('search_path') as path
  `.execute(tx)
  const { own, path } = rows[0] ?? { own: 'public', path: 'public' }
  await sql`create schema ${sql.id(expected)}`.execute(tx)
  await sql`select set_config('search_path', ${`${expected}, ${path}`}, true)`.execute(tx)
  await createTables(tx)
  const released = await shapeOf(tx, expected)
  await sql`select set_config('search_path', ${path}, true)`.execute(tx)
  await sql`drop schema ${sql.id(expected)} cascade`.execute(tx)
  const tables = new Set(released.map(tableOf))
  const found = (await shapeOf(tx, own)).filter((line) => tables.has(tableOf(line)))
  return [
    ...released.filter((line) => !found.includes(line)).map((line) => `missing: ${line}`),
    ...found.filter((line) => !released.includes(line)).map((line) => `not expected: ${line}`),
  ]
}

const tableOf = (line: string) => /^\w+/.exec(line)?.[0] ?? ''
