import type { Actor } from '../domain/audit.ts'
import {
  deleteUnsubscriptions,
  insertUnsubscriptions,
  type MailSource,
} from '../store/unsubscriptions.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Subscribes a user to the build mails of a repository or an organization, or unsubscribes them. */
export function setSubscribed(
  ctx: Context,
  actor: Actor,
  source: MailSource,
  subscribed: boolean,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const write = subscribed ? deleteUnsubscriptions : insertUnsubscriptions
    if (!(await write(tx.db, actor.user.id, source))) return
    const action = subscribed ? 'subscribe' : 'unsubscribe'
    await audit(tx, actor, { action, subject_type: source.type, subject_id: source.id })
  })
}
