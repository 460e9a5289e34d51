import type { Build } from '../../domain/build.ts'
import type { Branch, Commit, PullRequest, Tag } from '../../domain/commit/commit.ts'
import type { Organization, User } from '../../domain/owner.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Stage } from '../../domain/stage.ts'
import { together } from '../sql/batched-query.ts'
import {
  branchIn,
  buildIn,
  commitIn,
  organizationIn,
  pullRequestIn,
  requestIn,
  stageIn,
  tagIn,
  userIn,
} from '../sql/json-rows.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

/** The records that other records link to by id, by table. */
export interface LinkedRecords {
  branches: Branch
  builds: Build
  commits: Commit
  organizations: Organization
  pull_requests: PullRequest
  requests: Request
  stages: Stage
  tags: Tag
  users: User
}

export type LinkedTable = keyof LinkedRecords

/** A record, which other callers may hold as well: it must not be changed. */
export interface FoundRecords {
  from: LinkedTable
  record: Readonly<LinkedRecords[LinkedTable]>
}

type Ids = Partial<Readonly<Record<LinkedTable, readonly number[]>>>

const readers: { readonly [T in LinkedTable]: (written: never) => LinkedRecords[T] } = {
  branches: branchIn,
  builds: buildIn,
  commits: commitIn,
  organizations: organizationIn,
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

/** Records of other tables as a statement returns them with a row. */
export type WrittenBeside = { from: LinkedTable; record: unknown }[] | null

/** SQL for the records that a row links to, given the ids for each table. */
export function besideRow(ids: Partial<Readonly<Record<LinkedTable, readonly string[]>>>): string {
  const each = Object.entries(ids).map(
    ([table, own]) => `select '${table}' as "from", row_to_json(${table}) as record
      from ${table} where ${table}.id in (${own.join()})`,
  )
  return `(select json_agg(beside) from (${each.join(' union all ')}) as beside)`
}

export function foundBeside(written: WrittenBeside): FoundRecords[] {
  return (written ?? []).map(({ from, record }) => ({
    from,
    record: readers[from](record as never),
  }))
}

const keyOf = (table: LinkedTable, id: number) => `${table} ${id}`

const read = together(async (db, asked: readonly Ids[]): Promise<FoundRecords[][]> => {
  const idsOf = (table: LinkedTable) => new Set(asked.flatMap((ids) => ids[table] ?? []))
  const rows = await records(db, ...tables.map((table) => [...idsOf(table)]))
  const found = new Map<string, FoundRecords>()
  for (const { from, record: written } of rows) {
    const record = readers[from](written as never)
    found.set(keyOf(from, record.id), { from, record })
  }
  return asked.map((ids) =>
    tables.flatMap((table) =>
      [...new Set(ids[table])].flatMap((id) => found.get(keyOf(table, id)) ?? []),
    ),
  )
})

/** Records of any tables by their ids, in one statement, which also serves concurrent calls. */
export async function linkedRecords(db: Database, ids: Ids): Promise<readonly FoundRecords[]> {
  return Object.values(ids).some(({ length }) => length > 0) ? read(db, ids) : []
}

/** Records of a table by their ids, each once, without those that do not exist. */
function recordsOf<T extends LinkedTable>(table: T) {
  return async (db: Database, ids: readonly number[]) =>
    (await linkedRecords(db, { [table]: ids })).map(({ record }) => record as LinkedRecords[T])
}

export const buildsByIds = recordsOf('builds')
export const pullRequestsByIds = recordsOf('pull_requests')
export const usersByIds = recordsOf('users')
