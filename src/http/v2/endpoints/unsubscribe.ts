import { canSee } from '../../../access/visibility.ts'
import { setSubscribed } from '../../../flow/people/preferences.ts'
import { readMailLink } from '../../../secrets/mail-link.ts'
import { unsubscribedAmong } from '../../../store/notifications/unsubscriptions.ts'
import { findUser } from '../../../store/people/users.ts'
import { findSeenRepository } from '../../../store/repositories/repository-access.ts'
import { htmlType } from '../../core/answer.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { noSubscription, subscription } from '../../pages/unsubscribe/answers.tsx'
import { text } from '../../parameters/kinds.ts'

const page = { types: [htmlType], besides: { 404: { description: 'not found', type: htmlType } } }

/** No login: the link comes by mail, and mail programs follow it as well (RFC 8058). */
const byLink = { open: true, negotiates: false } as const

/**
 * The user and the repository that a link is about, if they exist. A build file can name anyone, so
 * `shown` is left out if the viewer cannot see the repository.
 */
async function find({ ctx, params, viewer }: Call) {
  const link = readMailLink(ctx.sealer, params.link ?? '')
  const user = link && (await findUser(ctx.db, link.user_id))
  const found = user && (await findSeenRepository(ctx.db, { id: link.repository_id }, user.id))
  if (!found) return
  return { user, repository: found, ...(canSee(viewer, found) ? { shown: found } : {}) }
}

/** GET changes nothing, because programs that scan for harmful links fetch each link in a mail. */
async function show(call: Call) {
  const found = await find(call)
  if (!found) return noSubscription(call)
  const { user, repository, shown } = found
  const left = await unsubscribedAmong(call.ctx.db, user.id, [repository])
  const subscribed = !left.has(repository.id)
  return subscription(call, { repository: shown, login: user.login, subscribed, changed: false })
}

async function change(call: Call, subscribed: boolean) {
  const found = await find(call)
  if (!found) return noSubscription(call)
  const { user, repository, shown } = found
  const actor = { user, token_id: null, address: call.request.ip }
  await setSubscribed(call.ctx, actor, { type: 'repository', id: repository.id }, subscribed)
  return subscription(call, { repository: shown, login: user.login, subscribed, changed: true })
}

export const unsubscribeEndpoints = [
  get('/unsubscribe/:link', {
    ...byLink,
    docs: { ...page, summary: 'the page behind the links in mails' },
    answer: show,
  }),

  post('/unsubscribe/:link', {
    ...byLink,
    docs: { ...page, summary: 'unsubscribes from a repository’s build mails, or subscribes again' },
    accepts: { subscribed: text('`true` to get mails again') },
    answer: (call, given) => change(call, given.subscribed === 'true'),
  }),
]
