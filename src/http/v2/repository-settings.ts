import { permittedUser, type Viewer } from '../../access/viewer.ts'
import { repositoryRights } from '../../access/repository-rights.ts'
import { notFound } from '../../domain/errors.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { findSeenRepository } from '../../store/seen.ts'
import type { Call } from '../endpoint.ts'
import { Refusal } from '../refusal.ts'
import { refusals } from './refusals.ts'

/** A variable or key in the settings of a repository, or that it is not there. */
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
  refused: ({ viewer }: Call, { repository }: Stored<unknown>) =>
    repositoryRights(viewer, repository).write ? settingMissing() : repositoryMissing(),
}

function storedRights(viewer: Viewer, { repository, stored }: Stored<unknown>) {
  const { read, write } = repositoryRights(viewer, repository)
  return { read, write, existing: write && stored !== undefined }
}

/**
 * Reads what belongs to a repository, if the caller sees that: others do not learn from the time whether
 * it is there.
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

/** What the rights say is there; it may have been removed by another call since. */
export function existing<T>(stored: T | undefined): T {
  if (stored !== undefined) return stored
  throw new Refusal(notFound('setting'), settingMissing())
}
