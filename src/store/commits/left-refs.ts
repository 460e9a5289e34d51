import { type RawBuilder, sql } from 'kysely'
import { hasMoved, type PushOfRef } from '../../domain/commit/moved-ref.ts'
import type { ShownCommit } from '../../domain/commit/status.ts'
import { grouped } from '../../domain/grouped.ts'
import { nowhere } from '../../domain/request/superseded-push.ts'
import { anyOf } from '../sql/literals.ts'
import type { Database } from '../tables.ts'

/** The requests about a commit: as the head of pull requests, or as the commit itself. */
export function isAbout({ repository_id, sha }: ShownCommit): RawBuilder<boolean> {
  return sql<boolean>`(requests.repository_id = ${repository_id} and (
    requests.head_commit = ${sha}
    or requests.head_commit is null and requests.commit_id in (
      select id from commits where repository_id = ${repository_id} and sha = ${sha})))`
}

/**
 * The branches and tags for which a commit was built and that no longer hold it, in the order of the
 * code host: they were deleted, or moved since (D49 e).
 */
export async function leftRefs(db: Database, commit: ShownCommit): Promise<Set<string>> {
  const places = await placesOf(db, commit)
  const inDoubt = places.filter(({ may_have_moved }) => may_have_moved)
  const pushes = grouped(await pushesOf(db, commit, inDoubt), ({ ref }) => ref)
  const hasLeft = ({ ref, since, is_gone }: Place) =>
    is_gone || hasMoved(ref, commit.sha, since ?? 0, pushes.get(ref) ?? [])
  return new Set(places.filter(hasLeft).map(({ ref }) => ref))
}

interface Place {
  ref: string
  /**
   * Id of the newest push that led there when it came, or that came late while the ref was there;
   * otherwise the id of the newest other request.
   */
  since: number | null
  is_gone: boolean
  /** Whether a later push came late, or may take the commit away from the ref. */
  may_have_moved: boolean
}

async function placesOf(db: Database, commit: ShownCommit): Promise<Place[]> {
  const { repository_id, sha } = commit
  const { rows } = await sql<Place>`
    with places as (
      select ref, coalesce(
        max(id) filter (where event_type = 'push' and overtaken_by is null),
        max(id) filter (where event_type <> 'push')) as newest
      from requests
      where ${isAbout(commit)} and head_commit is null and ref is not null
      group by ref
    )
    select ref, greatest(newest, pushes.late) as since,
      exists (
        select from branches
        where repository_id = ${repository_id} and starts_with(places.ref, 'refs/heads/')
          and name = substr(places.ref, 12) and not exists_on_codehost)
      or exists (
        select from tags
        where repository_id = ${repository_id} and starts_with(places.ref, 'refs/tags/')
          and name = substr(places.ref, 11) and not exists_on_codehost) as is_gone,
      coalesce(pushes.taking > coalesce(greatest(newest, pushes.late), 0), false) as may_have_moved
    from places
    cross join lateral (
      select max(id) filter (where overtaken_by = ${sha}) as late,
        max(id) filter (
          where forced or before_sha = ${nowhere} or overtaken_by is not null
            or starts_with(ref, 'refs/tags/')) as taking
      from requests
      where repository_id = ${repository_id} and event_type = 'push' and ref = places.ref
    ) as pushes`.execute(db)
  return rows
}

async function pushesOf(
  db: Database,
  { repository_id }: ShownCommit,
  places: readonly Place[],
): Promise<(PushOfRef & { ref: string })[]> {
  if (places.length === 0) return []
  const refs = places.map(({ ref }) => ref)
  return db
    .selectFrom('requests')
    .select(['id', 'before_sha', 'after_sha', 'forced', 'overtaken_by'])
    .select(sql<string>`ref`.as('ref'))
    .where('repository_id', '=', repository_id)
    .where('event_type', '=', 'push')
    .where(sql<boolean>`ref = ${anyOf(refs)}`)
    .orderBy('id')
    .execute()
}
