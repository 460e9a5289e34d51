import { permittedUser } from '../access/viewer.ts'
import type { InRepository } from '../store/seen.ts'
import type { Database } from '../store/tables.ts'
import type { Call } from './endpoint.ts'

export type { InRepository } from '../store/seen.ts'

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
