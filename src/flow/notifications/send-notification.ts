import type { Actor } from '../../domain/audit.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Notification } from '../../domain/notification.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { NotifyError } from '../../notify/notify-error.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import {
  findNotification,
  noteTry,
  stateOfLastBefore,
  reopenNotification,
} from '../../store/notifications/notifications.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'
import { sendContent } from './kinds/index.ts'
import type { NotificationContent } from './kinds/kind.ts'

/** Seconds until each retry (NT-42). */
const pauses = [5, 30, 120, 600, 1800]

/** A notification that waited longer than this, after an earlier one failed, gets only one attempt. */
const longestWait = 60 * 60

/**
 * Sends a notification that has waited for `waited` seconds, and stores the result. Throws a NotifyError if
 * it is to be sent again, after the seconds in `retryAfter`.
 */
export async function sendNotification(
  ctx: Context,
  { notification_id, earlier_attempts = 0 }: Announcements['notify:send'],
  waited: number,
): Promise<void> {
  const notification = await findNotification(ctx.db, notification_id)
  if (notification?.state !== 'waiting' || notification.sealed_content === null) return
  const { id, guid, kind } = notification
  let secret = false
  try {
    const content = openContent(ctx, guid, notification.sealed_content)
    ;({ secret } = content)
    const status = await sendContent(ctx, notification, content)
    await noteTry(ctx.db, id, { state: 'sent', status, message: null })
    ctx.log.info({ notification_id: id, kind }, 'notification was sent')
  } catch (error) {
    const failure = failureOf(error)
    const { message, status, temporary } = failure
    // Attempts during which a worker was killed are not recorded, and do not count.
    const pause = pauses[notification.attempts - earlier_attempts]
    const again = temporary && pause !== undefined && !(await isHeldUp(ctx, notification, waited))
    await noteTry(ctx.db, id, { state: again ? 'waiting' : 'failed', status, message })
    const noted = { notification_id: id, guid, kind, again, reason: message }
    if (failure === error) ctx.log.info(noted, 'notification was not sent')
    else ctx.log.error({ ...noted, ...(secret ? {} : { err: error }) }, 'notification was not sent')
    if (!again) return
    const retryAfter = Math.max(pause, failure.retryAfter ?? 0)
    // The cause of a failure can contain the address.
    throw new NotifyError(message, { temporary, retryAfter, ...(secret ? {} : { cause: error }) })
  }
}

/** Whether a notification has waited for long after others, the last of which also failed. */
async function isHeldUp(
  { db }: Pick<Context, 'db'>,
  notification: Notification,
  waited: number,
): Promise<boolean> {
  return waited >= longestWait && (await stateOfLastBefore(db, notification)) === 'failed'
}

/** The failure to store. An error of the service itself counts as temporary, and users do not see it. */
function failureOf(error: unknown): NotifyError {
  if (error instanceof NotifyError) return error
  return new NotifyError('the service could not make the message', {
    temporary: true,
    cause: error,
  })
}

function openContent(ctx: Context, guid: string, sealed: string): NotificationContent {
  return JSON.parse(ctx.sealer.openText(sealedIn.notification(guid), sealed)) as NotificationContent
}

/** Resends a notification unchanged. Throws if it still waits to be sent, or was skipped. */
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
