import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { ofInstallation } from '../records/administration.ts'
import { queue } from './queue.ts'

export const queues = collectionOf<Models['queue']>()({ type: 'queues', of: queue })

export const queuesActions = actionsOf(queues, {
  for_installation: get(
    '/queues',
    listSteps(
      queues,
      {
        ...ofInstallation('queues'),
        docs: {
          summary:
            'the queues of the service’s own work, with their entries in each state; for administrators of the service; not paginated',
        },
      },
      ({ ctx }) => ctx.queueCounts(),
    ),
  ),
})
