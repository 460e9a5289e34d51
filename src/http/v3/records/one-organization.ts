import { organizationRights } from '../../../access/owner-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { findOrganization } from '../../../store/people/seen-owners.ts'
import type { Call } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'

/** The steps shared by every V3 endpoint for an organization or its records. */
export const oneOrganization = {
  type: 'organization',
  async find({ ctx, viewer, params }: Call) {
    const id = idIn(params.organization)
    return id === undefined ? undefined : findOrganization(ctx.db, id, permittedUser(viewer))
  },
  rights: organizationRights,
}
