import { sql } from 'kysely'
import type { OwnerType, Provider } from '../../domain/owner.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Database } from '../tables.ts'

/** The rows to lock for a repository: its own, and its owner's if the owner may be changed with it. */
export interface ToLock {
  codehost_id: number
  owner?: { codehost_id: number; type: OwnerType } | null
}

/**
 * Locks the repositories with these ids at the code host, in any state, and returns them by that id.
 * Their owners are locked first, as in everything that changes both, and each table in the order of its
 * ids.
 */
export async function lockRepositories(
  db: Database,
  provider: Provider,
  wanted: readonly ToLock[],
): Promise<Map<number, Repository>> {
  const owners = wanted.flatMap(({ owner }) => owner ?? [])
  await lockOwners(
    db,
    'users',
    provider,
    owners.filter(({ type }) => type === 'User'),
  )
  await lockOwners(
    db,
    'organizations',
    provider,
    owners.filter(({ type }) => type !== 'User'),
  )
  const rows = await db
    .selectFrom('repositories')
    .selectAll()
    .where('provider', '=', provider)
    .where('codehost_id', '=', numbersOf(wanted))
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.codehost_id, row]))
}

/** Locks one repository. */
export async function lockRepository(
  db: Database,
  { provider, ...wanted }: ToLock & { provider: Provider },
): Promise<Repository | undefined> {
  return (await lockRepositories(db, provider, [wanted])).get(wanted.codehost_id)
}

async function lockOwners(
  db: Database,
  table: 'users' | 'organizations',
  provider: Provider,
  owners: readonly { codehost_id: number }[],
): Promise<void> {
  if (owners.length === 0) return
  await db
    .selectFrom(table)
    .select('id')
    .where('provider', '=', provider)
    .where('codehost_id', '=', numbersOf(owners))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

const numbersOf = (rows: readonly { codehost_id: number }[]) =>
  sql<number>`any(${[...new Set(rows.map(({ codehost_id }) => codehost_id))]}::bigint[])`
