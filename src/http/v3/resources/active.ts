import { listViewer, permittedUser } from '../../../access/viewer.ts'
import type { OwnerRef } from '../../../domain/owner.ts'
import { unfinishedBuildsOf } from '../../../store/builds/paged-builds.ts'
import type { SeenOwner } from '../../../store/people/seen-owners.ts'
import { inTheirRepositories } from '../../../store/repositories/repository-access.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { oneOwner, ownerTemplates } from '../records/one-owner.ts'
import { build } from './build.ts'

/** The unfinished builds of an owner, with their queued and running jobs. */
export const active = collectionOf<Models['build']>()({
  name: 'active',
  type: 'builds',
  of: build,
  representation: 'active',
})

function refOf({ type, model }: SeenOwner): OwnerRef {
  return { owner_id: model.id, owner_type: type === 'user' ? 'User' : 'Organization' }
}

export const activeActions = actionsOf(
  { type: 'active' },
  {
    for_owner: get(
      ownerTemplates('/active'),
      listSteps(
        active,
        {
          ...oneOwner,
          right: 'read',
          docs: {
            summary:
              'the unfinished builds of a user or an organization, with their queued and running jobs; not paginated',
          },
        },
        async ({ ctx: { db }, viewer }, owner) => {
          const builds = await unfinishedBuildsOf(db, refOf(owner), listViewer(viewer))
          const seen = await inTheirRepositories(db, builds, permittedUser(viewer))
          return seen.map((each) => ({ ...each, only_running: true }))
        },
      ),
    ),
  },
)
