import type { Repository } from '../domain/repository.ts'
import { unreported, type UnreportedRows } from '../store/outbox.ts'
import type { Database } from '../store/tables.ts'

/** What of a repository does not reach its code host, in a sentence; none if all does. */
export async function reportNotices(
  db: Database,
  { id }: Pick<Repository, 'id'>,
): Promise<string[]> {
  const left = await unreported(db, id)
  if (!left) return []
  const { found, remedy } = describeUnreported(left)
  return [`${found}. What to do: ${remedy}`]
}

/** What does not reach the code host, and what to do about it. */
export function describeUnreported({ count, since, refused, error }: UnreportedRows) {
  const time = since.toISOString().replace(/\.\d+Z$/, 'Z')
  const what = count === 1 ? 'a status or check' : `${count} statuses or checks`
  const found = `${what} could not be posted to the code host since ${time}: ${error}`
  const remedy =
    refused === 0
      ? 'they are posted automatically once the code host can be reached and lets the app work'
      : 'unsuspend the app or accept its permissions in its settings there; they are posted ' +
        'again as soon as that is done, and hourly, for seven days'
  return { found, remedy }
}
