import { organizationRights } from '../../access/owner-rights.ts'
import { permittedUser } from '../../access/viewer.ts'
import { findOrganization } from '../../store/seen-owners.ts'
import type { Call } from '../endpoint.ts'
import { idIn } from '../find-record.ts'

/** The steps shared by every V3 endpoint for an organization, or for what is of one. */
export const oneOrganization = {
  type: 'organization',
  async find({ ctx, viewer, params }: Call) {
    const id = idIn(params.organization)
    return id === undefined ? undefined : findOrganization(ctx.db, id, permittedUser(viewer))
  },
  rights: organizationRights,
}
