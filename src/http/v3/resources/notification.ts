import { repositoryRights } from '../../../access/repository-rights.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { Notification } from '../../../domain/notification.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { time } from '../../../domain/time/api-time.ts'
import { resendNotification } from '../../../flow/notifications/send-notification.ts'
import { findSeenNotification } from '../../../store/notifications/notifications.ts'
import type { Call } from '../../core/endpoint.ts'
import { findRecord, type InRepository } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { changing } from '../core/accepted.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'

type NotificationModel = InRepository<Notification>

declare module '../core/resource.ts' {
  interface Models {
    notification: NotificationModel
  }
}

/** Targets are visible only to users who can change them. */
function notificationRights(viewer: Viewer, repository: Seen<Repository>) {
  const { admin } = repositoryRights(viewer, repository)
  return { read: admin, write: admin }
}

/** A notification of a build to one target, and its outcome, without its content. */
export const notification = resourceOf<NotificationModel>()({
  type: 'notification',
  href: ({ id }) => `/notification/${id}`,
  rights: (viewer, { repository }) => notificationRights(viewer, repository),
  permissions: ['read', 'write'],
  representations: {
    minimal: ['id', 'guid', 'kind', 'event'],
    standard: [
      'id',
      'guid',
      'kind',
      'event',
      'target',
      'outcome',
      'message',
      'attempts',
      'response_status',
      'created_at',
      'sent_at',
      'build_id',
      'repository',
    ],
  },
  values: {
    outcome: each(({ state }) => state),
    created_at: each(({ created_at }) => time(created_at)),
    sent_at: each(({ sent_at }) => time(sent_at)),
  },
  links: { repository: { to: 'repository', read: each(({ repository }) => repository) } },
})

const oneNotification = {
  type: 'notification',
  login: true,
  find: (call: Call) => findRecord(call, call.params.notification, findSeenNotification),
  rights: notification.rights,
}

export const notificationActions = actionsOf(notification, {
  find: get('/notification/{notification.id}', {
    ...oneNotification,
    right: 'read',
    docs: {
      summary:
        'a notification of one target about a build, without its content, with its outcome; needs the right to administer',
    },
    present: as('standard', notification),
  }),

  resend: post('/notification/{notification.id}/resend', {
    ...oneNotification,
    scope: 'settings',
    right: 'write',
    docs: {
      summary:
        'resends an unchanged notification that was sent or has failed; needs the right to administer',
      fails: ['unprocessable_entity'],
    },
    async act(call, found) {
      await resendNotification(call.ctx, found, actorOf(call))
      return found
    },
    present: changing(notification, 'resend'),
  }),
})
