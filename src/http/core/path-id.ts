import { permittedUser } from '../../access/viewer.ts'
import type { InRepository } from '../../store/repositories/repository-access.ts'
import type { Database } from '../../store/tables.ts'
import type { Call } from './endpoint.ts'

export type { InRepository } from '../../store/repositories/repository-access.ts'

const digits = /^\d{1,15}$/

/** The id in a path; undefined if it is not a number that can be an id. */
export function idIn(param: string | undefined): number | undefined {
  return param !== undefined && digits.test(param) ? Number(param) : undefined
}

/** Finds a record by the id in the path, and its repository for this viewer. */
export async function findRecord<R extends InRepository<object>>(
  { ctx, viewer }: Pick<Call, 'ctx' | 'viewer'>,
  param: string | undefined,
  find: (db: Database, id: number, userId: number | undefined) => Promise<R | undefined>,
): Promise<R | undefined> {
  const id = idIn(param)
  return id === undefined ? undefined : find(ctx.db, id, permittedUser(viewer))
}

/** Looks up records of a list by their ids; null for a missing id or record. */
export function byId<T extends { id: number }>(
  records: readonly T[],
): (id: number | null) => T | null {
  const map = new Map(records.map((record) => [record.id, record]))
  return (id) => (id === null ? null : (map.get(id) ?? null))
}
