import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { asPart, stagesOf } from '../records/build-parts.ts'
import { oneBuild } from '../records/one-build.ts'
import { viewOf } from '../render/view-of.ts'
import { stage } from './stage.ts'

/** The stages of a build, which have no pages. */
export const stages = collectionOf<Models['stage']>()({ type: 'stages', of: stage })

export const stagesActions = actionsOf(stages, {
  find: get(
    '/build/{build.id}/stages',
    listSteps(
      stages,
      {
        ...oneBuild,
        right: 'read',
        docs: {
          summary:
            'the stages of a build with the ids of their jobs; empty for a build without stages; not paginated',
        },
      },
      async (call, build) => (await stagesOf(viewOf(call), [asPart(build)])).flat(),
    ),
  ),
})
