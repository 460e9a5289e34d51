import type { Notification, NotificationKind } from '../../../domain/notification.ts'
import type { Context } from '../../context.ts'
import { email } from './email.ts'
import type { ContentOf, Kind } from './kind.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

/** All kinds of notifications, by their names in the database. */
export const kinds: { readonly [K in NotificationKind]: Kind<K> } = { webhook, slack, email }

/** Sends a notification according to its kind. Returns the status of the response; throws a NotifyError. */
export function sendContent<K extends NotificationKind>(
  ctx: Context,
  notification: Notification,
  content: ContentOf<K>,
): Promise<number | null> {
  const kind: Kind<K> = kinds[content.kind]
  return kind.send(ctx, notification, content)
}
