import { canSee } from '../../../access/visibility.ts'
import { setSubscribed } from '../../../flow/set-subscribed.ts'
import { readMailLink } from '../../../secrets/mail-link.ts'
import { findSeenRepository } from '../../../store/seen.ts'
import { unsubscribedAmong } from '../../../store/unsubscriptions.ts'
import { findUser } from '../../../store/users.ts'
import { htmlType } from '../../answer.ts'
import { type Call, get, post } from '../../endpoint.ts'
import { noSubscription, subscription } from '../../pages/unsubscribe/answers.tsx'
import { text } from '../../parameters/kinds.ts'

const page = { types: [htmlType], besides: { 404: { description: 'not found', type: htmlType } } }

/** Without a login: who has the link got it by mail, and programs that read mail follow it (RFC 8058). */
const byLink = { open: true, negotiates: false } as const

/**
 * The user and the repository that a link is about, if they exist. A build file can name anyone, so that
 * `shown` is left out for who cannot see it.
 */
async function find({ ctx, params, viewer }: Call) {
  const link = readMailLink(ctx.sealer, params.link ?? '')
  const user = link && (await findUser(ctx.db, link.user_id))
  const found = user && (await findSeenRepository(ctx.db, { id: link.repository_id }, user.id))
  if (!found) return
  return { user, repository: found, ...(canSee(viewer, found) ? { shown: found } : {}) }
}

/** Reading it changes nothing: programs that look for harmful links read each link in a mail. */
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
    docs: { ...page, summary: 'the page that links in mails lead to' },
    answer: show,
  }),

  post('/unsubscribe/:link', {
    ...byLink,
    docs: { ...page, summary: 'leaves the build mails of a repository, or gets them again' },
    accepts: { subscribed: text('`true` to get mails again') },
    answer: (call, given) => change(call, given.subscribed === 'true'),
  }),
]
