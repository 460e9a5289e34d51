import { permittedUser } from '../../access/viewer.ts'
import { canSee } from '../../access/visibility.ts'
import { deletedByRetention } from '../../domain/errors.ts'
import { slugOf } from '../../domain/repository.ts'
import { findDeletedBuild } from '../../store/builds/deleted-builds.ts'
import type { InRepository } from '../../store/repositories/repository-access.ts'
import type { Database } from '../../store/tables.ts'
import type { Call } from './endpoint.ts'

export type { InRepository } from '../../store/repositories/repository-access.ts'

const digits = /^\d{1,15}$/

/** The id in a path; undefined if it is not a number that can be an id. */
export function idIn(param: string | undefined): number | undefined {
  return param !== undefined && digits.test(param) ? Number(param) : undefined
}

type Find<R> = (db: Database, id: number, userId: number | undefined) => Promise<R | undefined>

/** Finds a record by the id in the path, and its repository for this viewer. */
export async function findRecord<R extends InRepository<object>>(
  { ctx, viewer }: Pick<Call, 'ctx' | 'viewer'>,
  param: string | undefined,
  find: Find<R>,
): Promise<R | undefined> {
  const id = idIn(param)
  return id === undefined ? undefined : find(ctx.db, id, permittedUser(viewer))
}

/** Like `findRecord`; throws an error that says so if retention deleted what this viewer could see. */
export async function findKept<R extends InRepository<object>>(
  call: Pick<Call, 'ctx' | 'viewer'>,
  type: 'build' | 'job',
  param: string | undefined,
  find: Find<R>,
): Promise<R | undefined> {
  const record = await findRecord(call, param, find)
  if (!record) await refuseDeleted(call, type, param)
  return record
}

/** Throws if retention deleted the build or job with the id in the path, and this viewer could see it. */
export async function refuseDeleted(
  { ctx, viewer }: Pick<Call, 'ctx' | 'viewer'>,
  type: 'build' | 'job',
  param: string | undefined,
): Promise<void> {
  const id = idIn(param)
  if (id === undefined) return
  const deleted = await findDeletedBuild(ctx.db, type, id, permittedUser(viewer))
  if (!deleted || !canSee(viewer, deleted.repository, deleted)) return
  throw deletedByRetention(type, deleted, slugOf(deleted.repository))
}

/** Looks up records of a list by their ids; null for a missing id or record. */
export function byId<T extends { id: number }>(
  records: readonly T[],
): (id: number | null) => T | null {
  const map = new Map(records.map((record) => [record.id, record]))
  return (id) => (id === null ? null : (map.get(id) ?? null))
}
