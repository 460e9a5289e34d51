import type { Commit, PullRequest } from '../domain/commit.ts'
import type { Request } from '../domain/request/request.ts'
import { listed, prepared } from './prepared.ts'
import type { Database } from './tables.ts'
import { together } from './together.ts'
import { commitIn, type Written } from './written.ts'

/** The records that are shown beside a request. */
export interface RequestRecords {
  commit: Commit | null
  pull: Pick<PullRequest, 'number' | 'title'> | null
  build_id: number | null
}

type Row = Omit<RequestRecords, 'commit'> & { commit: Written<Commit> | null }

const recordsOf = prepared<Row>(`
  select
    (select row_to_json(commits) from commits where id = asked.commit_id) as commit,
    (select row_to_json(pull) from (
      select number, title from pull_requests where id = asked.pull_id) as pull) as pull,
    (select builds.id from builds where builds.request_id = asked.request_id) as build_id
  from unnest(${['$1', '$2', '$3'].map((list) => listed(list, 'bigint[]')).join()})
    with ordinality as asked (request_id, commit_id, pull_id, position)
  order by asked.position
`)

const rowsOf = (db: Database, requests: readonly Request[]) =>
  recordsOf(
    db,
    requests.map(({ id }) => id),
    requests.map(({ commit_id }) => commit_id),
    requests.map(({ pull_request_id }) => pull_request_id),
  )

const read = together(async (db, requests: readonly Request[]) => [...(await rowsOf(db, requests))])

/** The records of one request, in one statement. */
export async function recordsOfRequest(db: Database, request: Request): Promise<RequestRecords> {
  return recordsIn(await read(db, request))
}

/** Those of each request of a list, in their order, in one statement. */
export async function recordsOfRequests(
  db: Database,
  requests: readonly Request[],
): Promise<RequestRecords[]> {
  return requests.length === 0 ? [] : (await rowsOf(db, requests)).map(recordsIn)
}

const recordsIn = ({ commit, ...others }: Row): RequestRecords => ({
  commit: commit && commitIn(commit),
  ...others,
})
