import type { Repository } from '../domain/repository.ts'
import { shownTime } from '../domain/shown-time.ts'
import { type LostRows, lostReports, unreported, type UnreportedRows } from '../store/outbox.ts'
import type { Database } from '../store/tables.ts'

/** What was found wrong, and what to do about it. */
interface Notice {
  found: string
  remedy: string
}

/** What does not reach the code host, of one repository or of all; none if all does. */
export async function reportNotices(
  db: Database,
  repository?: Pick<Repository, 'id'>,
): Promise<Notice[]> {
  const left = await unreported(db, repository?.id)
  const lost = await lostReports(db, repository?.id)
  return [...(left ? [describeUnreported(left)] : []), ...(lost ? [describeLost(lost)] : [])]
}

/** The same for a page, a sentence each. */
export function noticeText({ found, remedy }: Notice): string {
  return `${found}. What to do: ${remedy}`
}

function describeUnreported({ count, since, refused, error }: UnreportedRows): Notice {
  const found = `${counted(count)} could not be posted to the code host since ${shownTime(since)}: ${error}`
  const remedy =
    refused === 0
      ? 'they are posted automatically once the code host can be reached and lets the app work'
      : 'see in the settings of the app there that it is not suspended, may see the repository and ' +
        'has the permissions it asks for; they are posted again as soon as that is put right, and ' +
        'hourly, for seven days'
  return { found, remedy }
}

function describeLost({ count, since, error }: LostRows): Notice {
  return {
    found: `${counted(count)} of ${shownTime(since)} will not be posted to the code host: ${error}`,
    remedy: 'fix what it names there, then push again: the next one is posted anew',
  }
}

function counted(reports: number): string {
  return reports === 1 ? 'a status or check' : `${reports} statuses or checks`
}
