import type { Actor } from '../../domain/audit.ts'
import type { User } from '../../domain/owner.ts'
import type { Repository } from '../../domain/repository.ts'
import {
  deleteUnsubscriptions,
  insertUnsubscriptions,
  type MailSource,
} from '../../store/notifications/unsubscriptions.ts'
import {
  type BetaFeature,
  deleteUserBetaFeature,
  putUserBetaFeature,
} from '../../store/people/beta-features.ts'
import { lockUser, setLocale, setBuildEmailsOf } from '../../store/people/users.ts'
import { deleteStar, insertStar } from '../../store/repositories/stars.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

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

/** Stores the language that a user wants to read, and returns the user. */
export function changeLocale(ctx: Context, locale: string, actor: Actor): Promise<User> {
  return transact(ctx, async (tx) => {
    const { id } = actor.user
    const known = await lockUser(tx.db, id)
    if (known.locale === locale) return known
    const user = await setLocale(tx.db, id, locale)
    const changed = { locale, before: { locale: known.locale } }
    await audit(tx, actor, { action: 'change', subject_type: 'user', subject_id: id, changed })
    return user
  })
}

/** Turns a feature on or off for a user; null restores the default for everyone. */
export function chooseBetaFeature(
  ctx: Context,
  actor: Actor,
  { id, name }: Pick<BetaFeature, 'id' | 'name'>,
  enabled: boolean | null,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const user_id = actor.user.id
    await (enabled === null
      ? deleteUserBetaFeature(tx.db, user_id, id)
      : putUserBetaFeature(tx.db, { user_id, beta_feature_id: id, enabled }))
    const changed = { [name]: enabled }
    const subject = { subject_type: 'user', subject_id: user_id } as const
    await audit(tx, actor, { action: 'choose_beta_feature', ...subject, changed })
  })
}

/** Stars a repository for a user, or takes the star away. */
export function setStarred(
  ctx: Context,
  actor: Actor,
  { id }: Pick<Repository, 'id'>,
  starred: boolean,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const write = starred ? insertStar : deleteStar
    if (!(await write(tx.db, actor.user.id, id))) return
    const action = starred ? 'star' : 'unstar'
    await audit(tx, actor, { action, subject_type: 'repository', subject_id: id })
  })
}

/** Stores whether a user wants mails about builds at all. */
export function setBuildEmails(ctx: Context, actor: Actor, wanted: boolean): Promise<void> {
  return transact(ctx, async (tx) => {
    const { id } = actor.user
    if (!(await setBuildEmailsOf(tx.db, id, wanted))) return
    const changed = { build_emails: wanted }
    await audit(tx, actor, { action: 'change', subject_type: 'user', subject_id: id, changed })
  })
}
