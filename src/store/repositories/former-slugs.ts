import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { OwnerRef } from '../../domain/owner.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Database, Tables } from '../tables.ts'
import { findRepository, isSlug } from './repositories.ts'

/** Stores the slug of a repository that is about to be renamed, as a former slug. */
export async function keepSlug(
  db: Database,
  next: Pick<
    Insertable<Tables['repositories']>,
    'provider' | 'codehost_id' | 'owner_name' | 'name'
  >,
): Promise<void> {
  await sql`
    insert into former_slugs (repository_id, provider, slug)
    select id, provider, lower(owner_name || '/' || name) from repositories
    where provider = ${next.provider ?? 'codehost'} and codehost_id = ${next.codehost_id}
      and lower(owner_name || '/' || name) <> lower(${`${next.owner_name}/${next.name}`})
    on conflict (repository_id, slug) do update set left_at = now()
  `.execute(db)
}

/** Stores the slugs of all repositories of an owner who is about to be renamed, as former slugs. */
export async function keepSlugsOf(
  db: Database,
  { owner_id, owner_type }: OwnerRef,
  login: string,
): Promise<void> {
  await sql`
    insert into former_slugs (repository_id, provider, slug)
    select id, provider, lower(owner_name || '/' || name) from repositories
    where owner_id = ${owner_id} and owner_type = ${owner_type}
      and lower(owner_name) <> lower(${login})
    on conflict (repository_id, slug) do update set left_at = now()
  `.execute(db)
}

/** The repository that had this slug last; `findRepository` finds a repository that has it now. */
export async function findRenamed(db: Database, slug: string): Promise<Repository | undefined> {
  if (!isSlug(slug)) return undefined
  const row = await db
    .selectFrom('former_slugs')
    .select('repository_id')
    .where('slug', '=', slug.toLowerCase())
    .orderBy('left_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && findRepository(db, { id: row.repository_id })
}
