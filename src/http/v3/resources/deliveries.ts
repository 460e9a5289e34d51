import { deliveryResults } from '../../../domain/delivery.ts'
import { listViewer } from '../../../access/viewer.ts'
import { deliveriesPage } from '../../../store/listed-deliveries.ts'
import { anyOf, filterId } from '../../parameters/kinds.ts'
import { actionsOf, get } from '../action.ts'
import { ofInstallation } from '../administration.ts'
import { uncounted } from '../list-query.ts'
import { collectionOf } from '../collection.ts'
import { pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { delivery } from './delivery.ts'
import { described } from '../../parameters/parameter.ts'

export const deliveries = collectionOf<Models['delivery']>()({
  type: 'deliveries',
  of: delivery,
  limit: 25,
  filters: {
    'delivery.before': described('the id of a webhook: only older ones are listed', filterId()),
    'delivery.event': described('names of events of the code host, such as push', anyOf()),
    'delivery.outcome': described(
      `what came of them: any of waiting, ${deliveryResults.join(', ')}`,
      anyOf(),
    ),
    'repository.slug': described(
      'slugs of the repositories that they are about, in any case',
      anyOf(),
    ),
  },
})

export const deliveriesActions = actionsOf(deliveries, {
  for_installation: get(
    '/deliveries',
    pageSteps(
      deliveries,
      {
        ...ofInstallation('deliveries'),
        docs: {
          summary:
            'the webhooks that were received, the newest first, without payloads; for administrators of the service',
        },
      },
      async (call, _installation, query) => {
        const filter = {
          before: query.filters['delivery.before'],
          events: query.filters['delivery.event'],
          outcomes: query.filters['delivery.outcome'],
          slugs: query.filters['repository.slug'].map((slug) => slug.toLowerCase()),
        }
        const viewer = listViewer(call.viewer)
        return uncounted(query, await deliveriesPage(call.ctx.db, filter, query, viewer))
      },
    ),
  ),
})
