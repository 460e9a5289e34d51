import { runnersPage } from '../../../store/runners.ts'
import { actionsOf, get } from '../action.ts'
import { ofInstallation } from '../administration.ts'
import { collectionOf } from '../collection.ts'
import { pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { runner } from './runner.ts'

export const runners = collectionOf<Models['runner']>()({ type: 'runners', of: runner, limit: 25 })

export const runnersActions = actionsOf(runners, {
  for_installation: get(
    '/runners',
    pageSteps(
      runners,
      {
        ...ofInstallation('runners'),
        docs: {
          summary:
            'the processes that run jobs, or did, and whether they are alive; for administrators of the service',
        },
      },
      ({ ctx }, _installation, query) => runnersPage(ctx.db, query),
    ),
  ),
})
