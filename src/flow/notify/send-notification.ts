import type { Notification } from '../../domain/notification.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { shownTime } from '../../domain/shown-time.ts'
import { NotifyError } from '../../notify/notify-error.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { signText } from '../../secrets/signature.ts'
import { findNotification, noteTry, stateOfLastBefore } from '../../store/notifications.ts'
import type { Context } from '../context.ts'
import type { Content, MailContent } from './content.ts'
import { isDeclined } from './recipients.ts'
import { signingKey } from './signing-key.ts'

/** Seconds until each further attempt (NT-42). */
const pauses = [5, 30, 120, 600, 1800]

/** Of what waits longer, behind others that the same target did not get, only one attempt is made. */
const longestWait = 60 * 60

/**
 * Sends a notification that waits for so many seconds, and notes how that went. Throws a NotifyError if
 * it is to be sent again in so many seconds as its `retryAfter` says.
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
    const status = await send(ctx, notification, content)
    await noteTry(ctx.db, id, { state: 'sent', status, message: null })
    ctx.log.info({ notification_id: id, kind }, 'notification was sent')
  } catch (error) {
    const failure = failureOf(error)
    const { message, status, temporary } = failure
    // Attempts that a worker was killed in are not noted, and do not count.
    const pause = pauses[notification.attempts - earlier_attempts]
    const again = temporary && pause !== undefined && !(await isHeldUp(ctx, notification, waited))
    await noteTry(ctx.db, id, { state: again ? 'waiting' : 'failed', status, message })
    const noted = { notification_id: id, guid, kind, again, reason: message }
    if (failure === error) ctx.log.info(noted, 'notification was not sent')
    else ctx.log.error({ ...noted, ...(secret ? {} : { err: error }) }, 'notification was not sent')
    if (!again) return
    const retryAfter = Math.max(pause, failure.retryAfter ?? 0)
    // The cause of a failure can name the address.
    throw new NotifyError(message, { temporary, retryAfter, ...(secret ? {} : { cause: error }) })
  }
}

/** Whether it has waited for long behind others, and the last of them did not arrive either. */
async function isHeldUp(
  { db }: Pick<Context, 'db'>,
  notification: Notification,
  waited: number,
): Promise<boolean> {
  return waited >= longestWait && (await stateOfLastBefore(db, notification)) === 'failed'
}

/** What is wrong with the service itself may pass as well, and is not told to users. */
function failureOf(error: unknown): NotifyError {
  if (error instanceof NotifyError) return error
  return new NotifyError('the service could not make the message', {
    temporary: true,
    cause: error,
  })
}

function openContent(ctx: Context, guid: string, sealed: string): Content {
  return JSON.parse(ctx.sealer.openText(sealedIn.notification(guid), sealed)) as Content
}

async function send(
  ctx: Context,
  { guid, repository_id }: Notification,
  content: Content,
): Promise<number | null> {
  if (content.kind === 'email') return sendMail(ctx, { guid, repository_id }, content.mail)
  if (content.kind === 'webhook') return sendWebhook(ctx, guid, content)
  const { url, secret, body } = content
  return ctx.notifier.post({
    url,
    secret,
    body,
    headers: { ...sender, 'content-type': 'application/json' },
  })
}

const sender = { 'user-agent': 'build-service' }

/**
 * Posts a build, signed. What is signed holds the id of this notification, which stays the same, and
 * the time of this attempt, so that receivers can refuse what someone else sends again.
 */
async function sendWebhook(
  ctx: Context,
  guid: string,
  { url, secret, trusted, slug, payload }: Extract<Content, { kind: 'webhook' }>,
): Promise<number> {
  const delivery = { id: guid, sent_at: shownTime(ctx.now()) }
  const text = JSON.stringify({ ...payload, delivery })
  const { sealed_private_key } = await signingKey(ctx)
  const key = ctx.sealer.openText(sealedIn.signingKey(), sealed_private_key)
  const post = trusted ? ctx.notifier.postTrusted : ctx.notifier.post
  return post({
    url,
    secret,
    body: new URLSearchParams({ payload: text }).toString(),
    headers: {
      ...sender,
      'content-type': 'application/x-www-form-urlencoded',
      signature: signText(key, text, 'sha1'),
      'signature-256': signText(key, text, 'sha256'),
      'service-repo-slug': slug,
      'service-delivery': guid,
    },
  })
}

async function sendMail(
  { db, notifier, config }: Pick<Context, 'db' | 'notifier' | 'config'>,
  { guid, repository_id }: Pick<Notification, 'guid' | 'repository_id'>,
  mail: MailContent,
): Promise<null> {
  const { mailFrom: from } = config
  if (!notifier.mail || from === undefined) {
    const message = 'no mail server is set here any more (SMTP_URL and MAIL_FROM)'
    throw new NotifyError(message, { temporary: false })
  }
  // Meanwhile, or before it is sent again.
  if (await isDeclined(db, repository_id, mail.to)) {
    const message = 'whoever has this address wants no mails of this repository any more'
    throw new NotifyError(message, { temporary: false })
  }
  const host = new URL(config.publicUrl).hostname
  await notifier.mail({ ...mail, from, messageId: `<${guid}@${host}>` })
  return null
}
