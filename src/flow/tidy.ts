import { dropBodies } from '../store/deliveries.ts'
import { dropLoginStates } from '../store/login-states.ts'
import { deleteNotifications } from '../store/notifications.ts'
import { dropSecretsOfDeleted } from '../store/secrets-of-deleted.ts'
import { deleteEndedTokens } from '../store/tokens.ts'
import type { Context } from './context.ts'

const day = 24 * 60 * 60

/** Days that notifications are kept, to be read and sent again. */
const notificationDays = 30

/** Days that tokens are kept after their end, to find out what they were. */
const tokenDays = 30

/** Days in which a repository that was deleted by mistake gets its secrets back. */
const secretDays = 30

/** Deletes data whose retention has expired. */
export async function tidy({ db, config, now }: Context): Promise<void> {
  await dropLoginStates(db, now())
  await dropBodies(db, config.bodyRetentionDays * day)
  await deleteNotifications(db, notificationDays * day)
  await deleteEndedTokens(db, new Date(now().getTime() - tokenDays * day * 1000))
  await dropSecretsOfDeleted(db, secretDays * day)
}
