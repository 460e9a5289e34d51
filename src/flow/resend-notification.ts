import type { Actor } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Notification } from '../domain/notification.ts'
import { reopenNotification } from '../store/notifications.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Has a notification sent again, as it was. Throws while it waits anyway, and for one that was skipped. */
export function resendNotification(
  ctx: Context,
  { id, guid, stream, attempts }: Pick<Notification, 'id' | 'guid' | 'stream' | 'attempts'>,
  actor: Actor,
): Promise<void> {
  return transact(ctx, async (tx) => {
    if (stream === null || !(await reopenNotification(tx.db, id))) {
      const message = 'the notification still waits to be sent, or there is nothing to send'
      throw new ServiceError('unprocessable_entity', message)
    }
    await audit(tx, actor, {
      action: 'resend',
      subject_type: 'notification',
      subject_id: id,
      changed: { guid },
    })
    tx.announce('notify:send', stream, { notification_id: id, earlier_attempts: attempts })
  })
}
