import { actionsOf, get } from '../action.ts'
import { asPart, stagesOf } from '../build-parts.ts'
import { collectionOf } from '../collection.ts'
import { oneBuild } from '../one-build.ts'
import { listSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { viewOf } from '../view-of.ts'
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
            'the stages of a build with the ids of their jobs, none for a build without stages; not paginated',
        },
      },
      async (call, build) => (await stagesOf(viewOf(call), [asPart(build)])).flat(),
    ),
  ),
})
