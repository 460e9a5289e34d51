import { organizationRights, userRights } from '../../../access/owner-rights.ts'
import { permittedUser, type Viewer } from '../../../access/viewer.ts'
import {
  findOwner,
  findOwnerById,
  type OwnerName,
  type SeenOwner,
} from '../../../store/people/seen-owners.ts'
import type { Call } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { providerIn } from './one-repository.ts'

/** A viewer's rights on an owner, which is a user or an organization. */
export function ownerRights(viewer: Viewer, owner: SeenOwner) {
  const { read, write } =
    owner.type === 'user'
      ? userRights(viewer, owner.model)
      : organizationRights(viewer, owner.model)
  return { read, write }
}

/** The steps shared by every V3 endpoint for one owner or its records. */
export const oneOwner = {
  type: 'owner',
  async find({ ctx, viewer, params }: Call) {
    const name = nameIn(params)
    return name && findOwner(ctx.db, name, permittedUser(viewer))
  },
  rights: ownerRights,
}

function nameIn({ login, provider, codehost_id }: Call['params']): OwnerName | undefined {
  const id = idIn(codehost_id)
  if (id !== undefined) return { codehost_id: id }
  if (login === undefined) return
  if (provider === undefined) return { login }
  const named = providerIn(provider)
  return named && { login, provider: named }
}

/** The three variants of a path to an owner, each followed by `rest`. */
export function ownerTemplates(rest = ''): string[] {
  return [
    `/owner/codehost_id/{codehost_id}${rest}`,
    `/owner/{provider}/{login}${rest}`,
    `/owner/{login}${rest}`,
  ]
}

/** The steps shared by every V3 endpoint for records of one owner, found by its id in this service. */
export const oneOwnerById = {
  type: 'owner',
  async find({ ctx, viewer, params: { user, organization } }: Call) {
    const owner_id = idIn(user ?? organization)
    if (owner_id === undefined) return
    const owner_type = user === undefined ? 'Organization' : 'User'
    return findOwnerById(ctx.db, { owner_type, owner_id }, permittedUser(viewer))
  },
  rights: ownerRights,
}

/** The paths to users and organizations, each followed by `rest`. */
export function ownerByIdTemplates(rest: string): string[] {
  return [`/org/{organization.id}${rest}`, `/user/{user.id}${rest}`]
}
