import { listViewer } from '../../../access/viewer.ts'
import { deliveriesPage } from '../../../store/listed-deliveries.ts'
import { actionsOf, get } from '../action.ts'
import { idFilter, ofInstallation } from '../administration.ts'
import { uncounted } from '../list-query.ts'
import { collectionOf } from '../collection.ts'
import { pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { delivery } from './delivery.ts'

export const deliveries = collectionOf<Models['delivery']>()({
  type: 'deliveries',
  of: delivery,
  limit: 25,
  filters: ['delivery.before', 'delivery.event', 'delivery.outcome', 'repository.slug'],
})

export const deliveriesActions = actionsOf(deliveries, {
  for_installation: get(
    '/deliveries',
    pageSteps(deliveries, ofInstallation('deliveries'), async (call, _installation, query) => {
      const filter = {
        before: idFilter(query, 'delivery.before'),
        events: query.valuesOf('delivery.event'),
        outcomes: query.valuesOf('delivery.outcome'),
        slugs: query.valuesOf('repository.slug').map((slug) => slug.toLowerCase()),
      }
      const viewer = listViewer(call.viewer)
      return uncounted(query, await deliveriesPage(call.ctx.db, filter, query, viewer))
    }),
  ),
})
