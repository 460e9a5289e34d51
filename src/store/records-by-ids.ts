import type { Build } from '../domain/build.ts'
import type { PullRequest } from '../domain/commit.ts'
import type { Organization, User } from '../domain/owner.ts'
import { listed, prepared } from './prepared.ts'
import type { Database } from './tables.ts'
import { together } from './together.ts'
import { buildIn, organizationIn, pullRequestIn, userIn, type Written } from './written.ts'

/**
 * Reads records by their ids; what several calls ask for is read in one statement. In no order, each
 * once, without those that do not exist. Others may have got the same objects: they are not to be
 * changed.
 */
function recordsByIds<R extends { id: number }>(
  table: 'builds' | 'organizations' | 'pull_requests' | 'users',
  recordIn: (written: Written<R>) => R,
): (db: Database, ids: readonly number[]) => Promise<readonly Readonly<R>[]> {
  const rowsOf = prepared<{ record: Written<R> }>(`
    select row_to_json(${table}) as record from ${table} where id = any(${listed('$1', 'bigint[]')})
  `)
  const read = together(async (db, lists: readonly (readonly number[])[]) => {
    const rows = await rowsOf(db, [...new Set(lists.flat())])
    const records = rows.map(({ record }) => recordIn(record))
    const known = new Map(records.map((record) => [record.id, record]))
    return lists.map((ids) => [...new Set(ids)].flatMap((id) => known.get(id) ?? []))
  })
  return async (db, ids) => (ids.length === 0 ? [] : read(db, ids))
}

export const buildsByIds = recordsByIds<Build>('builds', buildIn)
export const organizationsByIds = recordsByIds<Organization>('organizations', organizationIn)
export const pullRequestsByIds = recordsByIds<PullRequest>('pull_requests', pullRequestIn)
export const usersByIds = recordsByIds<User>('users', userIn)
