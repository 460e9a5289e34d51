import { permittedUser } from '../../../access/viewer.ts'
import {
  findOwnedInstallation,
  type OwnedInstallation,
} from '../../../store/installations/seen-installations.ts'
import { idIn } from '../../core/path-id.ts'
import { actionsOf, get } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { ownerRights } from '../records/one-owner.ts'

declare module '../core/resource.ts' {
  interface Models {
    installation: OwnedInstallation
  }
}

/** An installation of the app, visible to everyone who can see its owner. */
export const installation = resourceOf<OwnedInstallation>()({
  type: 'installation',
  href: ({ codehost_id }) => `/installation/${codehost_id}`,
  rights: (viewer, { owner }) => ({ read: ownerRights(viewer, owner).read, write: false }),
  permissions: ['read', 'write'],
  representations: { minimal: ['id', 'codehost_id'], standard: ['id', 'codehost_id', 'owner'] },
  links: { owner: { to: ['user', 'organization'], read: each(({ owner }) => owner) } },
})

export const installationActions = actionsOf(installation, {
  find: get('/installation/{installation.codehost_id}', {
    type: 'installation',
    async find({ ctx, viewer, params }) {
      const id = idIn(params.installation)
      return id === undefined ? undefined : findOwnedInstallation(ctx.db, id, permittedUser(viewer))
    },
    rights: installation.rights,
    right: 'read',
    docs: {
      summary:
        'the installation of the app on the account of a user or an organization, by its id at the code host',
    },
    present: as('standard', installation),
  }),
})
