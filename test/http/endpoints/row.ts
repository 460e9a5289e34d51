import type { TokenScope } from '../../../src/access/scopes.ts'
import type { Database } from '../../../src/store/tables.ts'
import type { OfRecords } from './statuses.ts'

/** Rows by method and path: the first path of endpoints that have several. */
export type Rows = Readonly<Record<string, Row>>

/**
 * What tests know of an endpoint. Each question about all endpoints takes its fields, and has a scene of its
 * own, in which paths name other records. A call is a path, or only a query: then the path is that of the
 * endpoint, with what it names in the scene.
 */
export interface Row {
  /** Calls in the scene of `status-scene.ts`, with `{id}` for the number of the record; by default the path. */
  calls?: string | readonly string[]
  /** The status for each record: for a member, another user, and an anonymous caller. */
  statuses: OfRecords
  /** The same in V2, where more differs than 401 instead of 404 for anonymous callers. */
  inV2?: OfRecords
  /** A call that needs a body, or jobs that have finished, and its statuses then. */
  finished?: readonly [call: string, statuses: OfRecords]
  /** The lowest role that it takes below a repository, if that is not the one to push, or to see it. */
  role?: 'admin' | 'no one'
  /** The scope that the token of a write needs. */
  scope?: TokenScope | 'none'
  /** Whether it takes anonymous callers with FORCE_AUTHENTICATION. */
  open?: true
  /** How many SQL statements its calls send, in the scene of `statements.test.ts`. */
  statements?: Statements
  /** Calls whose plans are checked in the database of `many-builds.ts`; none for what reads few rows there. */
  plans?: string | readonly string[]
  /** Calls that are held against the document of V2.1, with their statuses, and some with a body. */
  answers?: Readonly<Record<string, number | readonly (number | Sent)[]>>
  /** Parameters that name a record, with its type. */
  selects?: Readonly<Record<string, string>>
  /** Parameters that look as if they did, and why nothing hidden is found by them. */
  selectsNothing?: Readonly<Record<string, string>>
  /**
   * Gives a repository the record that the path names, with the number of the repository as its id, unless
   * it has one. Returns the id by the name that it has in templates of V3, like `cron.id`.
   */
  keep?(db: Database, repository_id: number): Promise<Record<string, string>>
}

type Sent = readonly [status: number, body: object | string]

/** A number is that of the path. */
type Statements = number | Readonly<Record<string, number>>

export const read = (
  statuses: OfRecords,
  statements: Statements,
  more: Partial<Row> = {},
): Row => ({ statuses, statements, ...more })

/** A read of few rows, however many builds there are. */
export const few = (statuses: OfRecords, statements: Statements, more: Partial<Row> = {}) =>
  read(statuses, statements, { plans: [], ...more })

export const write = (
  scope: Row['scope'] & string,
  statuses: OfRecords,
  more: Partial<Row> = {},
): Row => ({ scope, statuses, ...more })
