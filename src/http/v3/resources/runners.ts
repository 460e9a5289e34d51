import { runnersPage } from '../../../store/jobs/runners.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { ofInstallation } from '../records/administration.ts'
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
            'the runners of the service, also former ones, and whether they are alive; for administrators of the service',
        },
      },
      ({ ctx }, _installation, query) => runnersPage(ctx.db, query),
    ),
  ),
})
