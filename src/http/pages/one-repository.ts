import { repositoryRights } from '../../access/repository-rights.ts'
import { permittedUser } from '../../access/viewer.ts'
import { findSeenRepository } from '../../store/repositories/repository-access.ts'
import type { Call } from '../core/endpoint.ts'

/** The steps shared by every page about one repository. */
export const oneRepository = {
  type: 'repository',
  find({ ctx, viewer, params }: Call) {
    const slug = `${params.owner}/${params.name}`
    return findSeenRepository(ctx.db, { slug }, permittedUser(viewer))
  },
  rights: repositoryRights,
}

/** Whether a record belongs to the repository that the path names. */
export function isUnder(
  { params }: Pick<Call, 'params'>,
  { repository }: { repository: { owner_name: string; name: string } },
): boolean {
  return isSame(params.owner, repository.owner_name) && isSame(params.name, repository.name)
}

function isSame(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase()
}
