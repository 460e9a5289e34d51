import { withRole } from '../repositories/repository-access.ts'
import { inPlaces, together } from '../sql/batched-query.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import { existingRepository } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'
import { rowVersion, type VersionedTable, versionsOf } from './versions.ts'

/** A record, and the viewer that it was shown to. */
export interface Showing {
  table: VersionedTable
  id: number
  /** The user whose permissions applied. */
  viewer_id: number | null
  token_id: number | null
}

/** The data that a response depends on. */
export interface Grounds {
  /** Version of the record, as it is read together with the record. */
  version: string
  /**
   * Changes with anything that decides whether the token is valid, the user of the token, and what the user
   * can do with the repository.
   */
  text: string
  /** When the token ends, if it does. */
  expires_at: Date | null
}

/** The rows that decide who can use a token: the token, its user, its maker, and its parent token. */
const ofToken = ['tokens.xmin', rowVersion('holders'), rowVersion('makers'), 'parents.xmin']

const withToken = `
  left join tokens on tokens.id = asked.token
  left join users as holders on holders.id = tokens.user_id
  left join users as makers on makers.id = tokens.made_by_id
  left join tokens as parents on parents.id = tokens.parent_id`

const ofRepository = [
  rowVersion('repositories'),
  'permissions.pull, permissions.push, permissions.admin',
]

const asked = `unnest(${listed('$1', 'bigint[]')}, ${listed('$2', 'bigint[]')}, ${listed('$3', 'bigint[]')})
  with ordinality as asked (id, viewer, token, position)`

function readOf(table: VersionedTable, joins: string) {
  const read = prepared<Grounds & { position: number }>(`
    select asked.position, tokens.expires_at,
      ${versionsOf[table]} as version,
      row(${[...ofRepository, ...ofToken].join(', ')})::text as text
    from ${asked} ${joins} ${withRole} ${withToken}
    where ${existingRepository}
  `)
  return together(async (db, showings: readonly Showing[]): Promise<(Grounds | undefined)[]> => {
    const rows = await read(
      db,
      showings.map(({ id }) => id),
      showings.map(({ viewer_id }) => viewer_id),
      showings.map(({ token_id }) => token_id),
    )
    return inPlaces(rows, showings)
  })
}

const withRepositoryOf = (table: string) => `join ${table} on ${table}.id = asked.id
  join repositories on repositories.id = ${table}.repository_id`

const reads = {
  builds: readOf('builds', withRepositoryOf('builds')),
  repositories: readOf('repositories', 'join repositories on repositories.id = asked.id'),
  requests: readOf('requests', withRepositoryOf('requests')),
}

/**
 * The data that the response about this record depends on now: while the data is the same, the
 * response is the same. Undefined if the record is deleted. Cheaper than reading the record itself.
 */
export function groundsOf(db: Database, showing: Showing): Promise<Grounds | undefined> {
  return reads[showing.table](db, showing)
}
