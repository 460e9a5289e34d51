import type { Build } from '../../domain/build.ts'
import type { Branch, Commit, PullRequest, Tag } from '../../domain/commit/commit.ts'
import type { Cron } from '../../domain/cron.ts'
import type { BareJob, Job } from '../../domain/job/job.ts'
import type { Organization, User } from '../../domain/owner.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Stage } from '../../domain/stage.ts'

/** The members of a record that are times. */
type TimeOf<R> = {
  [K in keyof R & string]: Extract<R[K], Date> extends never ? never : K
}[keyof R & string]

/** A record as PostgreSQL writes it in JSON: times are strings. */
export type Written<R> = {
  [K in keyof R]: R[K] extends Date | null ? Extract<R[K], null> | string : R[K]
}

/**
 * Reads records from JSON, in place: one value costs both sides less than a column for each member. All
 * members that are times must be named, or the code does not compile.
 */
export function reader<R>(times: Readonly<Record<TimeOf<R>, true>>) {
  const names = Object.keys(times)
  return (written: Written<R>): R => {
    const record = written as Record<string, unknown>
    for (const name of names) {
      const time = record[name]
      if (typeof time === 'string') record[name] = new Date(time)
    }
    return written as R
  }
}

/**
 * Reads records whose columns a statement writes as JSON arrays, beginning at `from`: in a list, the
 * names of members would take as much time as their values.
 */
export function rowReader<R>(
  columns: readonly (keyof R & string)[],
  times: Readonly<Record<TimeOf<R>, true>>,
) {
  const members = columns.map((name) => ({ name, isTime: name in times }))
  return (row: readonly unknown[], from = 0): R => {
    const record: Record<string, unknown> = {}
    for (const [index, { name, isTime }] of members.entries()) {
      const value = row[from + index]
      record[name] = isTime && typeof value === 'string' ? new Date(value) : value
    }
    return record as R
  }
}

const kept = { created_at: true, updated_at: true } as const
/** Times of records that run. */
export const ran = { started_at: true, finished_at: true } as const

export const userIn = reader<User>({
  ...kept,
  sync_started_at: true,
  synced_at: true,
  codehost_refused_at: true,
  first_logged_in_at: true,
  last_activity_at: true,
  blocked_at: true,
})

export const organizationIn = reader<Organization>({ ...kept, deleted_at: true })

export const repositoryIn = reader<Repository>({
  ...kept,
  last_build_started_at: true,
  archived_at: true,
  invalidated_at: true,
  deleted_at: true,
})

export const buildIn = reader<Build>({ ...kept, ...ran, canceled_at: true, restarted_at: true })

const ofJob = {
  ...kept,
  ...ran,
  retry_at: true,
  unlucky_since: true,
  unmet_since: true,
  queued_at: true,
  received_at: true,
  canceled_at: true,
  restarted_at: true,
} as const

export const jobIn = reader<Job>(ofJob)
export const bareJobIn = reader<BareJob>(ofJob)

export const requestIn = reader<Request>({ ...kept, ...ran, retry_at: true, configured_at: true })

export const cronIn = reader<Cron>({
  created_at: true,
  planned_at: true,
  last_run: true,
  next_run: true,
})

export const commitIn = reader<Commit>({ created_at: true, committed_at: true })

export const branchIn = reader<Branch>(kept)

export const tagIn = reader<Tag>({ created_at: true })

export const pullRequestIn = reader<PullRequest>({ ...kept, changed_at: true })

export const stageIn = reader<Stage>(ran)
