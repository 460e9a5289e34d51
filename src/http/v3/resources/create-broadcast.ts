import { administrationRights } from '../../../access/administration.ts'
import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser, type Viewer } from '../../../access/viewer.ts'
import { wrongEnd } from '../../../domain/broadcast.ts'
import { validationFailed } from '../../../domain/errors.ts'
import { makeBroadcast, type NewBroadcast } from '../../../flow/people/make-broadcast.ts'
import type { KnownBroadcast } from '../../../store/people/broadcasts.ts'
import { findOwner } from '../../../store/people/seen-owners.ts'
import { isSlug } from '../../../store/repositories/repositories.ts'
import { findSeenRepository } from '../../../store/repositories/repository-access.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { requiredText, textOrNull, wordOrNull } from '../../parameters/fields.ts'
import { time } from '../../parameters/kinds.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { post } from '../core/action.ts'
import { asCreated } from '../core/presented.ts'
import { broadcast } from './broadcast.ts'

type Recipient = Pick<NewBroadcast, 'recipient_type' | 'recipient_id'>

/** Shows a message to users, which only administrators can do. */
export const createBroadcastAction = post('/broadcasts', {
  type: 'broadcasts',
  login: true,
  scope: 'admin',
  find: async () => ({}),
  rights: (viewer: Viewer) => ({ read: true, write: administrationRights(viewer).write }),
  right: 'write',
  accepts: ofType('broadcast', {
    message: described('the text of the announcement', requiredText()),
    category: described('announcement, warning or null', wordOrNull(['announcement', 'warning'])),
    recipient: described('login or slug of its audience; null for everyone', textOrNull()),
    expires_at: described(
      'when it ends, like 2026-01-02T12:00:00Z; in 14 days at the latest',
      time(),
    ),
  }),
  docs: {
    summary:
      'announces a message to everyone, or to a user, an organization or the users of a repository; for administrators of the service',
  },
  async act(call, _installation, values): Promise<KnownBroadcast> {
    const expires_at = values['broadcast.expires_at'] ?? null
    const wrong = expires_at === null ? undefined : wrongEnd(expires_at, call.ctx.now())
    if (wrong !== undefined) throw invalid('expires_at', `expires_at ${wrong}`)
    const made = await makeBroadcast(call.ctx, actorOf(call), {
      message: values['broadcast.message'],
      category: values['broadcast.category'] ?? null,
      expires_at,
      ...(await recipientNamed(call, values['broadcast.recipient'] ?? null)),
    })
    return { ...made, active: true }
  },
  present: asCreated('standard', broadcast),
})

/** The recipient that a login or slug names, as far as the caller can see it. */
async function recipientNamed(call: Call, name: string | null): Promise<Recipient> {
  if (name === null) return { recipient_type: null, recipient_id: null }
  const userId = permittedUser(call.viewer)
  if (isSlug(name)) {
    const repository = await findSeenRepository(call.ctx.db, { slug: name }, userId)
    if (!repository || !repositoryRights(call.viewer, repository).read) throw invalid('recipient')
    return { recipient_type: 'Repository', recipient_id: repository.id }
  }
  const owner = await findOwner(call.ctx.db, { login: name }, userId)
  if (!owner) throw invalid('recipient')
  const recipient_type = owner.type === 'user' ? 'User' : 'Organization'
  return { recipient_type, recipient_id: owner.model.id }
}

const invalid = (field: string, message?: string) =>
  validationFailed([{ field, code: 'invalid', ...(message === undefined ? {} : { message }) }])
