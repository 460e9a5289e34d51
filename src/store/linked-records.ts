import type { Build } from '../domain/build.ts'
import type { Branch, Commit, PullRequest, Tag } from '../domain/commit.ts'
import type { User } from '../domain/owner.ts'
import type { Request } from '../domain/request.ts'
import type { Stage } from '../domain/stage.ts'
import { listed, prepared } from './prepared.ts'
import type { Database } from './tables.ts'
import {
  branchIn,
  buildIn,
  commitIn,
  pullRequestIn,
  requestIn,
  stageIn,
  tagIn,
  userIn,
} from './written.ts'

/** The records that others link to by id, by their tables. */
export interface LinkedRecords {
  branches: Branch
  builds: Build
  commits: Commit
  pull_requests: PullRequest
  requests: Request
  stages: Stage
  tags: Tag
  users: User
}

export type LinkedTable = keyof LinkedRecords

const readers: { readonly [T in LinkedTable]: (written: never) => LinkedRecords[T] } = {
  branches: branchIn,
  builds: buildIn,
  commits: commitIn,
  pull_requests: pullRequestIn,
  requests: requestIn,
  stages: stageIn,
  tags: tagIn,
  users: userIn,
}

const tables = Object.keys(readers) as LinkedTable[]

const records = prepared<{ from: LinkedTable; record: unknown }>(
  tables
    .map(
      (table, index) => `select '${table}' as "from", row_to_json(${table}) as record
        from ${table} where id = any(${listed(`$${index + 1}`, 'bigint[]')})`,
    )
    .join(' union all '),
)

/** Records by their ids, of whatever tables, in one statement. */
export async function linkedRecords(
  db: Database,
  ids: Partial<Readonly<Record<LinkedTable, readonly number[]>>>,
): Promise<{ from: LinkedTable; record: LinkedRecords[LinkedTable] }[]> {
  const rows = await records(db, ...tables.map((table) => ids[table] ?? []))
  return rows.map(({ from, record }) => ({ from, record: readers[from](record as never) }))
}
