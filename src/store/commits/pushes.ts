import { sql } from 'kysely'
import { foundGuid } from '../../domain/delivery.ts'
import { readRef } from '../../domain/event.ts'
import type { Request } from '../../domain/request/request.ts'
import { branchPut, tagPut } from '../repositories/branches.ts'
import type { NewRequest } from '../requests/requests.ts'
import { secondsAgo } from '../sql/age.ts'
import { isOneOf } from '../sql/literals.ts'
import { runPreparedOne } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'
import { commitInsert, type NewCommit } from './commits.ts'

/** Facts stored about a push when it arrives. */
export interface KnownPush {
  /** The request that this push only repeats. A late push may have been made once more since. */
  duplicate: { id: number; is_late: boolean } | null
  /** The commit that the newest push has led the ref to. */
  newest_sha: string | null
  /** Whether a push that continues from this push is already stored. */
  is_followed: boolean
  /** Whether the ref is known to be gone. */
  is_gone: boolean
}

const isPush = isOneOf('event_type', ['push'])

type Pushed = Pick<Request, 'repository_id' | 'ref' | 'before_sha' | 'after_sha'>

export function findKnownPush(db: Database, push: Pushed, seconds: number): Promise<KnownPush> {
  const { repository_id, ref, after_sha } = push
  const ofRef = db
    .selectFrom('requests')
    .where(isPush)
    .where('repository_id', '=', repository_id)
    .where('ref', '=', ref)
  const newest = ofRef.where('overtaken_by', 'is', null).orderBy('id', 'desc').limit(1)
  const followed = ofRef.where('before_sha', '=', after_sha)
  const found = db.selectNoFrom([
    duplicateOf(db, push, seconds).as('duplicate'),
    newest.select('after_sha').as('newest_sha'),
    sql<boolean>`exists (${followed.select('id')})`.as('is_followed'),
    wasDeleted(push).as('is_gone'),
  ])
  return runPreparedOne(db, found)
}

/**
 * The newest request for the same push that was created within `seconds` (WH-14), unless the branch has
 * come back to it since, or was deleted and is created again. A request that catch-up made from the
 * state of the branch counts as the push for a day, with any earlier commit: at first even if the branch
 * seems to have come back, because earlier events may still arrive.
 */
function duplicateOf(db: Database, push: Pushed, seconds: number) {
  return db
    .selectFrom('requests')
    .select(duplicate)
    .where(isPush)
    .where('repository_id', '=', push.repository_id)
    .where('ref', '=', push.ref)
    .where('after_sha', '=', push.after_sha)
    .where((eb) => eb.not(wasDeleted(push)))
    .where((eb) => {
      const isRecent = eb('created_at', '>=', secondsAgo(seconds))
      return eb.or([
        eb.and([eb('before_sha', '=', push.before_sha), isRecent, eb.not(hasComeBack(push))]),
        eb.and([wasFound, eb.or([isRecent, eb.and([isOfToday, eb.not(hasComeBack(push))])])]),
      ])
    })
    .orderBy('id', 'desc')
    .limit(1)
}

const duplicate = sql<NonNullable<KnownPush['duplicate']>>`json_build_object(
  'id', id, 'is_late', overtaken_by is not null)`.as('duplicate')

const wasFound = sql<boolean>`exists (
  select from deliveries
  where deliveries.id = requests.delivery_id and starts_with(guid, ${foundGuid}))`

const isOfToday = sql<boolean>`requests.created_at >= ${secondsAgo(24 * 60 * 60)}`

function wasDeleted({ repository_id, ref }: Pick<Request, 'repository_id' | 'ref'>) {
  const { kind, name } = readRef(ref ?? '')
  const refs = sql.table(kind === 'tag' ? 'tags' : 'branches')
  return sql<boolean>`exists (
    select from ${refs}
    where repository_id = ${repository_id} and name = ${name} and not exists_on_codehost)`
}

/** Whether the commit that was there before was pushed again after this push. */
function hasComeBack({ before_sha }: Pick<Request, 'before_sha'>) {
  return sql<boolean>`exists (
    select from requests as later
    where later.repository_id = requests.repository_id and later.ref = requests.ref
      and later.id > requests.id and later.after_sha = ${before_sha}
      and later.overtaken_by is null)`
}

/** The data of a push: a branch or a tag, its tip unless the event names none, and a request for it. */
interface Push {
  kind: 'branch' | 'tag'
  name: string
  /** Whether the branch or tag is known to be gone. */
  isGone: boolean
  commit: NewCommit | null
  request: NewRequest
}

/** Stores a push; returns its request. */
export function insertPush(
  db: Database,
  { kind, name, isGone, commit, request }: Push,
): Promise<Request> {
  const put = kind === 'branch' ? branchPut : tagPut
  const putRef = db.with('ref', (query) => put(query, request.repository_id, name, !isGone))
  if (commit === null) {
    return runPreparedOne(db, putRef.insertInto('requests').values(request).returningAll())
  }
  const inserted = putRef
    .with('commit', (query) => commitInsert(query, commit))
    .insertInto('requests')
    .values((eb) => ({ ...request, commit_id: eb.selectFrom('commit').select('id') }))
    .returningAll()
  return runPreparedOne(db, inserted)
}

/** The shas that the newest pushes to these refs have led to, by ref. */
export async function newestPushes(
  db: Database,
  repositoryId: number,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('requests')
    .distinctOn('ref')
    .select(['ref', 'after_sha'])
    .where('repository_id', '=', repositoryId)
    .where('event_type', '=', 'push')
    .where('overtaken_by', 'is', null)
    .where('ref', '=', sql<string>`any(${refs}::text[])`)
    .orderBy('ref')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map(({ ref, after_sha }) => [ref ?? '', after_sha ?? '']))
}
