import { notificationKinds } from '../../../domain/notification.ts'
import { notificationsOf } from '../../../store/notifications/notifications.ts'
import { anyOf, filterId } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { notification } from './notification.ts'

export const notifications = collectionOf<Models['notification']>()({
  type: 'notifications',
  of: notification,
  limit: 25,
  filters: {
    'notification.build_id': described('the id of their build', filterId()),
    'notification.kind': described(`any of ${notificationKinds.join(', ')}`, anyOf()),
    'notification.outcome': described('any of waiting, sent, failed, skipped', anyOf()),
  },
})

export const notificationsActions = actionsOf(notifications, {
  for_repository: get(
    repositoryTemplates('/notifications'),
    pageSteps(
      notifications,
      {
        ...oneRepository,
        login: true,
        right: 'admin',
        docs: {
          summary:
            'the notifications about a repository’s builds, with target and outcome; needs the right to administer',
        },
      },
      async ({ ctx }, repository, query) => {
        const filter = {
          build_id: query.filters['notification.build_id'],
          kinds: query.filters['notification.kind'],
          states: query.filters['notification.outcome'],
        }
        const { records, count } = await notificationsOf(ctx.db, repository.id, filter, query)
        return { records: records.map((record) => ({ ...record, repository })), count }
      },
    ),
  ),
})
