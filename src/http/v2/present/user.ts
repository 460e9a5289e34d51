import { createHash } from 'node:crypto'
import type { User } from '../../../domain/owner.ts'
import { time } from '../../../domain/time/api-time.ts'

/** A user, as that user sees it. */
export function presentUser(user: User) {
  return {
    id: user.id,
    login: user.login,
    name: user.name,
    email: user.email,
    avatar_id: user.email ? createHash('md5').update(user.email).digest('hex') : '',
    avatar_url: user.avatar_url,
    locale: user.locale,
    is_syncing: user.is_syncing,
    synced_at: time(user.synced_at),
    // The app's permissions do not depend on the user, and clients refuse logins if this is false.
    correct_scopes: user.codehost_refused_at === null,
    created_at: time(user.created_at),
    first_logged_in_at: time(user.first_logged_in_at),
    channels: [`private-user-${user.id}`],
    allow_migration: false,
    vcs_type: null,
  }
}
