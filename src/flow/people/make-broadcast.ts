import type { Author } from '../../domain/audit.ts'
import { insertBroadcast } from '../../store/people/broadcasts.ts'
import type { Broadcast } from '../../store/tables.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'

export type NewBroadcast = Pick<
  Broadcast,
  'message' | 'category' | 'recipient_type' | 'recipient_id' | 'expires_at'
>

/** Shows a message to all users, or to the users that its recipient fields name, until it expires. */
export function makeBroadcast(
  { db, now }: Pick<Context, 'db' | 'now'>,
  author: Author,
  broadcast: NewBroadcast,
): Promise<Broadcast> {
  return db.transaction().execute(async (tx) => {
    const made = await insertBroadcast(tx, broadcast)
    const { message, recipient_type, recipient_id } = broadcast
    await audit({ db: tx, now }, author, {
      action: 'create',
      subject_type: 'broadcast',
      subject_id: made.id,
      changed: { message, recipient_type, recipient_id },
    })
    return made
  })
}
