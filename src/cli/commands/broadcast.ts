import { operator } from '../../domain/audit.ts'
import { wrongEnd } from '../../domain/broadcast.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { makeBroadcast, type NewBroadcast } from '../../flow/people/make-broadcast.ts'
import { findOwner } from '../../store/people/seen-owners.ts'
import { findRepository, isSlug } from '../../store/repositories/repositories.ts'
import type { Database } from '../../store/tables.ts'
import { UsageError } from '../errors.ts'
import { withStore } from '../with-store.ts'

interface BroadcastOptions {
  for?: string
  until?: Date
  warning?: boolean
}

/** Shows a message to everyone, or to the users of one login or repository. */
export async function broadcast(message: string, options: BroadcastOptions): Promise<void> {
  const { for: recipient, until, warning = false } = options
  if (message.trim() === '') throw new UsageError('the message is empty: give a text')
  const wrong = until && wrongEnd(until, new Date())
  if (wrong !== undefined) throw new UsageError(`--until ${wrong}`)
  await withStore(async ({ db }) => {
    const made = await makeBroadcast({ db, now: () => new Date() }, operator, {
      message,
      category: warning ? 'warning' : 'announcement',
      expires_at: until ?? null,
      ...(await recipientNamed(db, recipient)),
    })
    console.log(`broadcast ${made.id} is shown to ${recipient ?? 'everyone'}`)
  })
}

async function recipientNamed(
  db: Database,
  name: string | undefined,
): Promise<Pick<NewBroadcast, 'recipient_type' | 'recipient_id'>> {
  if (name === undefined) return { recipient_type: null, recipient_id: null }
  if (isSlug(name)) {
    const repository = await findRepository(db, { slug: name })
    if (repository) return { recipient_type: 'Repository', recipient_id: repository.id }
  }
  const owner = await findOwner(db, { login: name }, undefined)
  if (!owner) {
    throw new UsageError(`no user, organization or repository ${visible(name)} is known here`)
  }
  const recipient_type = owner.type === 'user' ? 'User' : 'Organization'
  return { recipient_type, recipient_id: owner.model.id }
}
