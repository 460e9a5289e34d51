import type { Actor } from '../domain/audit.ts'
import type { User } from '../domain/owner.ts'
import { lockUser, setLocale } from '../store/users.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

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
