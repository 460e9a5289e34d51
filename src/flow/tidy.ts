import { dropBodies } from '../store/deliveries.ts'
import { dropLoginStates } from '../store/login-states.ts'
import { deleteNotifications } from '../store/notifications.ts'
import { dropSecretsOfDeleted } from '../store/secrets-of-deleted.ts'
import type { Context } from './context.ts'

const day = 24 * 60 * 60

/** Days that notifications are kept, to be read and sent again. */
const notificationDays = 30

/** Days in which a repository that was deleted by mistake gets its secrets back. */
const secretDays = 30

/** Deletes data whose retention has expired. */
export async function tidy({ db, config, now }: Context): Promise<void> {
  await dropLoginStates(db, now())
  await dropBodies(db, config.bodyRetentionDays * day)
  await deleteNotifications(db, notificationDays * day)
  await dropSecretsOfDeleted(db, secretDays * day)
}
