import { dropBodies } from '../store/deliveries.ts'
import { deleteNotifications } from '../store/notifications.ts'
import type { Context } from './context.ts'

/** Days that notifications are kept, to be read and sent again. */
const notificationDays = 30

/** Deletes data whose retention has expired. */
export async function tidy({ db, config }: Context): Promise<void> {
  await dropBodies(db, config.bodyRetentionDays * day)
  await deleteNotifications(db, notificationDays * day)
}

/** In seconds. */
const day = 24 * 60 * 60
