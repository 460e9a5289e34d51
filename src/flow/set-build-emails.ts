import type { Actor } from '../domain/audit.ts'
import { setBuildEmailsOf } from '../store/users.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Stores whether a user wants mails about builds at all. */
export function setBuildEmails(ctx: Context, actor: Actor, wanted: boolean): Promise<void> {
  return transact(ctx, async (tx) => {
    const { id } = actor.user
    if (!(await setBuildEmailsOf(tx.db, id, wanted))) return
    const changed = { build_emails: wanted }
    await audit(tx, actor, { action: 'change', subject_type: 'user', subject_id: id, changed })
  })
}
