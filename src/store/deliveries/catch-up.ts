import { sql } from 'kysely'
import type { Repository } from '../../domain/repository.ts'
import { type Database, json } from '../tables.ts'

/** Time by the code host's clock until which sent webhooks have been compared; undefined at first. */
export async function sentSeenUntil(db: Database): Promise<Date | undefined> {
  const row = await db.selectFrom('sent_webhooks').select('seen_until').executeTakeFirst()
  return row?.seen_until
}

export async function setSentSeenUntil(db: Database, seen_until: Date): Promise<void> {
  await db
    .insertInto('sent_webhooks')
    .values({ seen_until })
    .onConflict((conflict) =>
      conflict
        .column('singleton')
        .doUpdateSet({ seen_until: sql<Date>`greatest(sent_webhooks.seen_until, ${seen_until})` }),
    )
    .execute()
}

/** When the first installation of the app became known here. */
export async function installedSince(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('installations')
    .select('created_at')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** The guids of webhooks that have arrived. */
export async function arrivedGuids(db: Database, guids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('deliveries')
    .select('guid')
    .where('guid', '=', sql<string>`any(${guids}::text[])`)
    .execute()
  return new Set(rows.map(({ guid }) => guid))
}

export interface WatchedRepository extends Pick<
  Repository,
  'id' | 'codehost_id' | 'owner_name' | 'name' | 'private'
> {
  /** Time of the last push; null if another push in the same second may have followed the last look. */
  pushed_at: Date | null
  /** The heads seen last; null if the repository was never looked at. */
  heads: Readonly<Record<string, string>> | null
  /** `pushed_at` as of the last look at the tags; null also if there was none. */
  tags_pushed_at: Date | null
}

/** The repositories of an installation that are built, by the code host's numbers. */
export async function watchedRepositories(
  db: Database,
  installation: number,
): Promise<Map<number, WatchedRepository>> {
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('installations', 'installations.id', 'repositories.installation_id')
    .leftJoin('seen_heads', 'seen_heads.repository_id', 'repositories.id')
    .leftJoin('seen_tags', 'seen_tags.repository_id', 'repositories.id')
    .select([
      'repositories.id',
      'repositories.codehost_id',
      'owner_name',
      'name',
      'private',
      'seen_heads.pushed_at',
      'heads',
      'seen_tags.pushed_at as tags_pushed_at',
    ])
    .where('installations.codehost_id', '=', installation)
    .where('installations.suspended_at', 'is', null)
    .where('active', '=', true)
    .where('archived_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('invalidated_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.codehost_id, row]))
}

export async function putSeenHeads(
  db: Database,
  repository_id: number,
  pushed_at: Date | null,
  heads: Readonly<Record<string, string>>,
): Promise<void> {
  const seen = { pushed_at, heads: json(heads) }
  await db
    .insertInto('seen_heads')
    .values({ repository_id, ...seen })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(seen))
    .execute()
}

/** Whether a webhook about a repository is still to be processed. */
export async function isAwaited(
  db: Database,
  { codehost_id }: Pick<Repository, 'codehost_id'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('provider', '=', 'codehost')
    .where('repository_codehost_id', '=', codehost_id)
    .where('state', '=', 'received')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
