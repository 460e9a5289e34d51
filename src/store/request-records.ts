import { sql } from 'kysely'
import type { Commit, PullRequest } from '../domain/commit.ts'
import type { Repository, Seen } from '../domain/repository.ts'
import type { Request } from '../domain/request/request.ts'
import { listed, prepared } from './prepared.ts'
import { largestId } from './repositories.ts'
import type { Database } from './tables.ts'
import { together } from './together.ts'
import { visibleIn } from './visibility.ts'
import { commitIn, reader, type Written } from './written.ts'

/** The records that are shown beside a request. */
export interface RequestRecords {
  commit: Commit | null
  pull: Pick<PullRequest, 'number' | 'title'> | null
  build_id: number | null
}

type Row = Omit<RequestRecords, 'commit'> & { commit: Written<Commit> | null }

/** The columns with the records of a request, of which these are the ids. */
const recordsBeside = (request: string, commit: string, pull: string) => `
  (select row_to_json(commits) from commits where id = ${commit}) as commit,
  (select json_build_object('number', number, 'title', title) from pull_requests
    where id = ${pull}) as pull,
  (select builds.id from builds where builds.request_id = ${request}) as build_id`

const recordsOf = prepared<Row>(`
  select ${recordsBeside('asked.request_id', 'asked.commit_id', 'asked.pull_id')}
  from unnest(${['$1', '$2', '$3'].map((list) => listed(list, 'bigint[]')).join()})
    with ordinality as asked (request_id, commit_id, pull_id, position)
  order by asked.position
`)

const read = together(async (db, requests: readonly Request[]) => [
  ...(await recordsOf(
    db,
    requests.map(({ id }) => id),
    requests.map(({ commit_id }) => commit_id),
    requests.map(({ pull_request_id }) => pull_request_id),
  )),
])

/** The records of one request, in one statement. */
export async function recordsOfRequest(db: Database, request: Request): Promise<RequestRecords> {
  return recordsIn(await read(db, request))
}

const recordsIn = ({ commit, ...others }: Row): RequestRecords => ({
  commit: commit && commitIn(commit),
  ...others,
})

/** What a list shows of a request itself: the others are as many columns again, some of them large. */
const shownColumns = [
  'id',
  'repository_id',
  'commit_id',
  'created_at',
  'owner_id',
  'owner_type',
  'event_type',
  'base_commit',
  'head_commit',
  'result',
  'message',
] as const

export type RequestInList = Pick<Request, (typeof shownColumns)[number]>

/** A request of a list, with its records. */
export type ListedRequest = RequestRecords & { request: RequestInList }

type ListedRow = Row & { request: Written<RequestInList> }

const shownIn = reader<RequestInList>({ created_at: true })

interface RequestPage {
  limit: number
  /** Only requests with smaller ids. */
  older_than?: number | undefined
}

/** The requests of a repository that the viewer can see, newest first, in one statement. */
export async function listRequests(
  db: Database,
  repository: Seen<Repository>,
  { limit, older_than = largestId }: RequestPage,
): Promise<ListedRequest[]> {
  const { rows } = await sql<{ listed: ListedRow[] }>`
    select coalesce(json_agg(listed), '[]') as listed from (
      select json_build_object(${sql.raw(membersOf('requests', shownColumns))}) as request,
        ${sql.raw(recordsBeside('requests.id', 'requests.commit_id', 'requests.pull_request_id'))}
      from requests
      where requests.repository_id = ${repository.id} and requests.id < ${older_than}
        and ${visibleIn(repository, 'requests')}
      order by requests.id desc limit ${limit}
    ) as listed
  `.execute(db)
  return (rows[0]?.listed ?? []).map(({ request, ...records }) => ({
    request: shownIn(request),
    ...recordsIn(records),
  }))
}

const membersOf = (table: string, columns: readonly string[]) =>
  columns.map((name) => `'${name}', ${table}.${name}`).join()
