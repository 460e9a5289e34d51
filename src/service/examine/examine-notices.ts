import { noticesArrive } from '../../store/live/listen.ts'
import { noticeQueueUsage } from '../../store/live/measured.ts'
import type { Store } from '../open/open-store.ts'
import type { Examined } from './examined.ts'

/** Above this share of the queue for notices, some listener keeps it from being emptied. */
const mostUsed = 0.5

/** Checks whether processes can notify each other of changes, on which live events depend. */
export async function examineNotices(
  { db, connection }: Pick<Store, 'db' | 'connection'>,
  within?: number,
): Promise<Examined> {
  const subject = 'live events'
  const arrive = await noticesArrive(connection, within).catch(() => false)
  if (!arrive) {
    return {
      subject,
      verdict: 'warning',
      found:
        'notices do not come back through the connection to PostgreSQL, so live events are missing',
      remedy:
        'set DATABASE_URL to a direct connection, not one through a pooler in transaction mode',
    }
  }
  const used = await noticeQueueUsage(db)
  const percent = `${Math.round(used * 100)} % of PostgreSQL's queue for notices are in use`
  if (used <= mostUsed) {
    return { subject, verdict: 'ok', found: `notices between processes arrive; ${percent}` }
  }
  return {
    subject,
    verdict: 'warning',
    found: `${percent}, and once it is full, changes fail`,
    remedy:
      'end the session in pg_stat_activity that listens and has been in a transaction the longest',
  }
}
