import { listViewer, permittedUser } from '../../../access/viewer.ts'
import type { OwnerRef } from '../../../domain/owner.ts'
import { unfinishedBuildsOf } from '../../../store/paged-builds.ts'
import type { SeenOwner } from '../../../store/seen-owners.ts'
import { inTheirRepositories } from '../../../store/seen.ts'
import { actionsOf, get } from '../action.ts'
import { collectionOf } from '../collection.ts'
import { oneOwner, ownerTemplates } from '../one-owner.ts'
import { listSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { build } from './build.ts'

/** The builds of an owner that have not finished, with those of their jobs that are queued or run. */
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
              'the unfinished builds of a user or an organization, with their jobs that are queued or run; not paginated',
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
