import { permittedUser, type Viewer } from '../access/viewer.ts'
import type { Repository, Seen } from '../domain/repository.ts'
import { findSeenRepository } from '../store/repositories.ts'
import type { Database } from '../store/tables.ts'

/** A record together with its repository, as one viewer sees it. */
export type InRepository<T> = T & { repository: Seen<Repository> }

const digits = /^\d{1,15}$/

/** The id in a path; undefined if it is not a number that can be an id. */
export function idIn(param: string | undefined): number | undefined {
  return param !== undefined && digits.test(param) ? Number(param) : undefined
}

/** Finds a record by the id in the path, and its repository for this viewer. */
export async function findRecord<T extends { repository_id: number }>(
  db: Database,
  viewer: Viewer,
  param: string | undefined,
  find: (db: Database, id: number) => Promise<T | undefined>,
): Promise<InRepository<T> | undefined> {
  const id = idIn(param)
  const record = id === undefined ? undefined : await find(db, id)
  if (!record) return
  const ref = { id: record.repository_id }
  const repository = await findSeenRepository(db, ref, permittedUser(viewer))
  return repository && { ...record, repository }
}
