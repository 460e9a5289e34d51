import { repositoryRights } from '../../access/repository-rights.ts'
import { permittedUser, type Viewer } from '../../access/viewer.ts'
import { notFound } from '../../domain/errors.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { findSeenRepository } from '../../store/repositories/repository-access.ts'
import type { Call } from '../core/endpoint.ts'
import { Refusal } from '../core/refusal.ts'
import { refusals } from './refusals.ts'

/** A variable or key in a repository's settings; `stored` is undefined if it does not exist. */
export interface Stored<T> {
  repository: Seen<Repository>
  stored: T | undefined
}

export const repositoryMissing = () => refusals.notFoundText("Couldn't find repository")
export const settingMissing = () => refusals.notFoundText('Could not find a requested setting')

/** The steps shared by endpoints for one variable or key: they need the right to push, also to read. */
export const oneStored = {
  type: 'setting',
  login: true,
  rights: storedRights,
  refused: {
    status: 404 as const,
    answer: ({ viewer }: Call, { repository }: Stored<unknown>) =>
      repositoryRights(viewer, repository).write ? settingMissing() : repositoryMissing(),
  },
}

function storedRights(viewer: Viewer, { repository, stored }: Stored<unknown>) {
  const { read, write } = repositoryRights(viewer, repository)
  return { read, write, existing: write && stored !== undefined }
}

/**
 * Reads a record of a repository only if the caller can see the repository: the response time must not
 * reveal to others whether the record exists.
 */
export async function ifSeen<T>(
  { viewer }: Pick<Call, 'viewer'>,
  repository: Seen<Repository>,
  read: () => Promise<T>,
): Promise<T | undefined> {
  return repositoryRights(viewer, repository).read ? read() : undefined
}

/** The repository of an id, as the caller sees it. */
export function repositoryById(
  { ctx, viewer }: Pick<Call, 'ctx' | 'viewer'>,
  id: number | undefined,
): Promise<Seen<Repository> | undefined> {
  if (id === undefined) return Promise.resolve(undefined)
  return findSeenRepository(ctx.db, { id }, permittedUser(viewer))
}

/** The record that was there when rights were checked. Throws if another call has removed it since. */
export function existing<T>(stored: T | undefined): T {
  if (stored !== undefined) return stored
  throw new Refusal(notFound('setting'), settingMissing())
}
