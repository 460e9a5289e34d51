import type { Commit } from '../domain/commit/commit.ts'
import type { Repository } from '../domain/repository.ts'
import type { Request } from '../domain/request/request.ts'
import { shownTime } from '../domain/time/shown-time.ts'
import type { Context } from '../flow/context.ts'
import { reportsOfCommit } from '../flow/statuses/announce-commit.ts'
import {
  type FailedReport,
  failedReportsOf,
  type FailedReports,
  givenUpReports,
  unreported,
} from '../store/outbox/failed-reports.ts'
import type { Database } from '../store/tables.ts'

/** A problem found, and its remedy. */
interface Notice {
  found: string
  remedy: string
}

/** Reports that do not reach the code host, for one repository or for all; empty if all do. */
export async function reportNotices(
  db: Database,
  repository?: Pick<Repository, 'id'>,
): Promise<Notice[]> {
  const left = await unreported(db, repository?.id)
  const lost = await givenUpReports(db, repository?.id)
  return [...left.map(describeUnreported), ...lost.map(describeGivenUp)]
}

/** The statuses and checks of a build that do not reach the code host, a sentence each. */
export async function reportNoticesOfBuild(
  ctx: Pick<Context, 'db' | 'config'>,
  request: Request,
  commit: Pick<Commit, 'sha'>,
): Promise<string[]> {
  const reports = reportsOfCommit(ctx, request, request.head_commit ?? commit.sha)
  const failed = await failedReportsOf(ctx.db, [...reports.keys()])
  return failed.map((report) =>
    noticeText(describeReport(report, reports.get(report.stream) ?? '')),
  )
}

/** A notice as text for pages, without the failed call: it means nothing to repository owners. */
export function noticeText({ found, remedy }: Notice): string {
  return `${found.replace(/ \([A-Z]+ \/[^()]*\)$/, '')}. What to do: ${remedy}`
}

function describeUnreported({ count, since, refused, error, remedy }: FailedReports): Notice {
  return {
    found: `${counted(count)} could not be posted to the code host since ${shownTime(since)}: ${error}`,
    remedy: whileTried(remedy, refused > 0),
  }
}

function describeGivenUp({ count, since, refused, error, remedy }: FailedReports): Notice {
  return {
    found: `${counted(count)} of ${shownTime(since)} will not be posted to the code host: ${error}`,
    remedy: onceGivenUp(remedy, refused > 0),
  }
}

function describeReport(
  { error, remedy, refused_at, published_at }: FailedReport,
  name: string,
): Notice {
  const isRefused = refused_at !== null
  return published_at === null
    ? {
        found: `the ${name} could not be posted to the code host so far: ${error}`,
        remedy: whileTried(remedy, isRefused),
      }
    : {
        found: `the ${name} was given up, so the code host does not show it: ${error}`,
        remedy: onceGivenUp(remedy, isRefused),
      }
}

const settings =
  'check in the settings of the app there that it is not suspended, can access the repository and has ' +
  'all permissions that it requests'

function whileTried(remedy: string | null, isRefused: boolean): string {
  if (!isRefused) {
    return (
      remedy ??
      'wait until the code host is reachable and accepts the app; the report is posted then'
    )
  }
  return `${remedy ?? settings}; it is posted as soon as that is done, or within an hour, for seven days`
}

function onceGivenUp(remedy: string | null, isRefused: boolean): string {
  if (isRefused) return `${remedy ?? settings}, then restart the build or push again`
  return remedy ?? 'fix the reported problem, then restart the build or push again'
}

function counted(reports: number): string {
  return reports === 1 ? 'a status or check' : `${reports} statuses or checks`
}
