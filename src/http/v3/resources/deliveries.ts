import { listViewer } from '../../../access/viewer.ts'
import { deliveryResults } from '../../../domain/delivery.ts'
import { deliveriesPage } from '../../../store/deliveries/listed-deliveries.ts'
import { anyOf, filterId } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { uncounted } from '../core/list-query.ts'
import { pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { ofInstallation } from '../records/administration.ts'
import { delivery } from './delivery.ts'

export const deliveries = collectionOf<Models['delivery']>()({
  type: 'deliveries',
  of: delivery,
  limit: 25,
  filters: {
    'delivery.before': described('the id of a webhook: only older ones are listed', filterId()),
    'delivery.event': described('names of events of the code host, such as push', anyOf()),
    'delivery.outcome': described(
      `outcomes: any of waiting, ${deliveryResults.join(', ')}`,
      anyOf(),
    ),
    'repository.slug': described('slugs of their repositories, in any case', anyOf()),
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
