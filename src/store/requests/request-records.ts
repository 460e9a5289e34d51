import { sql } from 'kysely'
import { hasRole } from '../../access/visibility.ts'
import type { Commit, PullRequest } from '../../domain/commit/commit.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { type ShownCommit, shownCommitColumns } from '../commits/commits.ts'
import { largestId } from '../repositories/repositories.ts'
import { together } from '../sql/batched-query.ts'
import { commitIn, rowReader, type Written } from '../sql/json-rows.ts'
import { listed, runPreparedOne, prepared } from '../sql/prepared-statements.ts'
import { buildVisibleBesideRequest, visibleIn } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

/** The records that are shown with a request. */
export interface RequestRecords {
  commit: ShownCommit | null
  pull: Pick<PullRequest, 'number' | 'title'> | null
  /** Null also if the viewer cannot see the build. */
  build_id: number | null
}

type Row = Omit<RequestRecords, 'commit'> & { commit: Written<Commit> | null }

type SeenRequest = Request & { repository: Seen<Repository> }

const recordsOf = prepared<Row>(`
  select
    (select row_to_json(commits) from commits where id = asked.commit_id) as commit,
    (select json_build_object('number', number, 'title', title) from pull_requests
      where id = asked.pull_id) as pull,
    (select builds.id from builds
      where builds.request_id = asked.request_id and ${buildVisibleBesideRequest('asked.has_role')}
    ) as build_id
  from unnest(${['$1', '$2', '$3'].map((list) => listed(list, 'bigint[]')).join()},
      ${listed('$4', 'boolean[]')})
    with ordinality as asked (request_id, commit_id, pull_id, has_role, position)
  order by asked.position
`)

const read = together(async (db, requests: readonly SeenRequest[]) => [
  ...(await recordsOf(
    db,
    requests.map(({ id }) => id),
    requests.map(({ commit_id }) => commit_id),
    requests.map(({ pull_request_id }) => pull_request_id),
    requests.map(({ repository }) => hasRole(repository)),
  )),
])

/** The records of one request that its viewer can see, in one statement. */
export async function recordsOfRequest(
  db: Database,
  request: SeenRequest,
): Promise<RequestRecords> {
  const { commit, ...others } = await read(db, request)
  return { commit: commit && commitIn(commit), ...others }
}

/** The columns of a request that a list shows: there are as many others, some of them large. */
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

/** The columns of a request, of its commit, then the number and title of its pull request, and its build. */
type ListedRow = readonly unknown[]

const requestIn = rowReader<RequestInList>(shownColumns, { created_at: true })
const shownCommitIn = rowReader<ShownCommit>(shownCommitColumns, { committed_at: true })

const listedColumns = sql.raw(
  [
    ...shownColumns.map((name) => `listed.${name}`),
    ...shownCommitColumns.map((name) => `commits.${name}`),
    ...['pull_requests.number', 'pull_requests.title', 'builds.id'],
  ].join(),
)

function requestOfRow(row: ListedRow): ListedRequest {
  const request = requestIn(row)
  const [number, title, build_id] = row.slice(-3) as [number | null, string | null, number | null]
  return {
    request,
    commit: request.commit_id === null ? null : shownCommitIn(row, shownColumns.length),
    pull: number === null ? null : { number, title: title ?? '' },
    build_id,
  }
}

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
  // The query's plan is the same for every value: one index has the rows in order.
  const query = sql<{ listed: ListedRow[] }>`
    select coalesce(json_agg(json_build_array(${listedColumns}) order by listed.id desc), '[]') as listed
    from (
      select * from requests
      where requests.repository_id = ${repository.id} and requests.id < ${older_than}
        and ${visibleIn(repository, 'requests')}
      order by requests.id desc limit ${limit}
    ) as listed
    left join commits on commits.id = listed.commit_id
    left join pull_requests on pull_requests.id = listed.pull_request_id
    left join builds on builds.request_id = listed.id and ${visibleIn(repository, 'builds')}
  `
  return (await runPreparedOne(db, query)).listed.map(requestOfRow)
}
