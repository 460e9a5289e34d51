import { type RawBuilder, sql } from 'kysely'
import type { Retention } from '../../domain/retention.ts'
import { forgetLogsOfRuns } from '../jobs/logs.ts'
import { secondsAgo } from '../sql/age.ts'
import { isShownWithBuild } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

const day = 24 * 60 * 60

/** The shorter of the installation's limit and the repository's own. */
const limit = (installation: number | null, setting: keyof Retention) =>
  sql<number | null>`least(${installation}::int, (values ->> ${sql.lit(setting)})::int)`

/** The limits of a repository, or of an installation, which always has a number of builds to keep. */
type Limits = Retention & { builds_kept: number }

/**
 * The repositories that do not keep everything, each with its limits, including deleted
 * repositories.
 */
export async function limitedRepositories(
  db: Database,
  { log_days, build_days, builds_kept }: Limits,
): Promise<({ id: number } & Limits)[]> {
  const { rows } = await sql<{ id: number } & Limits>`
    select * from (
      select repositories.id, ${limit(log_days, 'log_days')} as log_days,
        ${limit(build_days, 'build_days')} as build_days,
        ${limit(builds_kept, 'builds_kept')} as builds_kept
      from repositories left join repository_settings on repository_id = repositories.id
    ) as limited
    where coalesce(log_days, build_days) is not null
    order by id
  `.execute(db)
  return rows
}

/**
 * Some finished jobs of the repository whose logs are older than this and were not removed, oldest first.
 * Their builds are locked; builds that are locked already are left for later.
 */
export async function lockExpiredLogs(
  tx: Database,
  repositoryId: number,
  { days, most }: { days: number; most: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select jobs.id
    from builds join jobs on jobs.build_id = builds.id join logs on logs.id = jobs.id
    where jobs.repository_id = ${repositoryId} and jobs.finished_at < ${secondsAgo(days * day)}
      and logs.removed_at is null
    order by jobs.id limit ${most}
    for update of builds skip locked
  `.execute(tx)
  // Queried again under the lock: a job may have been restarted while the first statement ran.
  const locked = await sql<{ id: number }>`
    select jobs.id from jobs join logs on logs.id = jobs.id
    where jobs.id = any(${rows.map(({ id }) => id)}::bigint[])
      and jobs.finished_at < ${secondsAgo(days * day)} and logs.removed_at is null
  `.execute(tx)
  return locked.rows.map(({ id }) => id)
}

/**
 * Whether a request is still needed: late events are compared with the newest push to an existing
 * branch, and with the newest request of an open pull request.
 */
const isNeeded = sql<boolean>`(
  requests.event_type = 'push' and starts_with(requests.ref, 'refs/heads/')
    and exists (
      select from branches where branches.repository_id = requests.repository_id
        and branches.name = substr(requests.ref, 12) and branches.exists_on_codehost)
    and not exists (
      select from requests as later where later.repository_id = requests.repository_id
        and later.event_type = 'push' and later.ref = requests.ref and later.id > requests.id)
  or requests.pull_request_id is not null
    and exists (
      select from pull_requests
      where pull_requests.id = requests.pull_request_id and pull_requests.state = 'open')
    and not exists (
      select from requests as later
      where later.pull_request_id = requests.pull_request_id and later.id > requests.id))`

/** Whether a row of this table finished more than `days` ago. */
const isOlder = (table: 'builds' | 'requests', days: number): RawBuilder<boolean> =>
  sql`${sql.ref(`${table}.finished_at`)} < ${secondsAgo(days * day)}`

/** Whether a build is one of the newest `kept` of its branch, if that exists: all but those of pull requests. */
const isNewest = (kept: number): RawBuilder<boolean> => sql`(
  builds.event_type <> 'pull_request'
  and exists (
    select from branches where branches.id = builds.branch_id and branches.exists_on_codehost)
  and ${kept} > (
    select count(*) from (
      select from builds as newer
      where newer.branch_id = builds.branch_id and newer.event_type <> 'pull_request'
        and newer.id > builds.id
      limit ${kept}) as counted))`

/** Whether a job of a build still runs: a fast finish does not wait for it. */
const hasOpenJob = sql<boolean>`exists (
  select from jobs where jobs.build_id = builds.id and jobs.finished_at is null)`

/** Whether a report that reads the build is still pending. */
const isReported = sql<boolean>`exists (
  select from outbox join commits on commits.id = builds.commit_id
  where outbox.published_at is null and (
    (payload ->> 'build_id')::bigint = builds.id
    or (payload ->> 'repository_id')::bigint = builds.repository_id
      and payload ->> 'sha' in (commits.sha, requests.head_commit)))`

interface Step {
  build_days: number
  builds_kept: number
  most: number
}

/**
 * Deletes some expired builds with their requests, jobs and logs, oldest first, and remembers their ids.
 * Kept are builds that have not finished, the last build of the repository, the newest of each branch that
 * exists, and the records needed to judge later events. Returns how many were deleted. Only in a transaction.
 */
export async function deleteExpiredBuilds(
  tx: Database,
  repositoryId: number,
  { build_days, builds_kept, most }: Step,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select builds.id
    from builds join requests on requests.id = builds.request_id
    where builds.repository_id = ${repositoryId} and builds.finished_at is not null
      and ${isOlder('builds', build_days)} and not ${isNewest(builds_kept)}
      and not ${isNeeded}
      and not ${hasOpenJob} and not ${isReported}
      and not exists (
        select from branches where branches.repository_id = builds.repository_id
          and branches.last_build_id = builds.id and branches.exists_on_codehost)
      and not exists (
        select from repositories where repositories.id = builds.repository_id
          and builds.id in (last_build_id, default_branch_last_build_id))
    order by builds.id limit ${most}
    for update of builds skip locked
  `.execute(tx)
  // Queried again under the lock, as above.
  const locked = await sql<{ id: number }>`
    select id from builds
    where id = any(${rows.map(({ id }) => id)}::bigint[])
      and finished_at is not null and not ${hasOpenJob}
  `.execute(tx)
  const ids = locked.rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  const jobs = await tx.selectFrom('jobs').select('id').where('build_id', 'in', ids).execute()
  // Later runs that stay contain the versions of deleted runs.
  await forgetLogsOfRuns(
    tx,
    jobs.map(({ id }) => id),
  )
  await sql`
    insert into deleted_builds (id, repository_id, number, private, job_ids)
    select id, repository_id, number, private,
      -- A job that was hidden from those who saw its build stays so.
      array(
        select jobs.id from jobs
        where jobs.build_id = builds.id and ${sql.raw(isShownWithBuild)}
        order by jobs.id)
    from builds where id = any(${ids}::bigint[])
  `.execute(tx)
  for (const table of ['branches', 'tags']) {
    await sql`
      update ${sql.table(table)} set last_build_id = null
      where repository_id = ${repositoryId} and last_build_id = any(${ids}::bigint[])
    `.execute(tx)
  }
  await sql`
    update repositories set build_count = build_count - (
      select count(*) from builds where id = any(${ids}::bigint[]) and event_type <> 'pull_request')
    where id = ${repositoryId}
  `.execute(tx)
  await sql`
    delete from requests using builds
    where builds.request_id = requests.id and builds.id = any(${ids}::bigint[])
  `.execute(tx)
  return ids.length
}

/** Deletes some expired requests that made no build. Returns how many were deleted. */
export async function deleteExpiredRequests(
  db: Database,
  repositoryId: number,
  { build_days, most }: Omit<Step, 'builds_kept'>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from requests where id in (
      select requests.id from requests
      where requests.repository_id = ${repositoryId} and requests.state = 'finished'
        and ${isOlder('requests', build_days)} and not ${isNeeded}
        and not exists (select from builds where builds.request_id = requests.id)
      order by requests.id limit ${most}
      for update skip locked)
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The tables whose rows are useless once no other row names them, with the condition for that. */
const orphans = {
  commits: sql<boolean>`
    commits.created_at < ${secondsAgo(day)}
    and not exists (select from requests where requests.commit_id = commits.id)
    and not exists (select from builds where builds.commit_id = commits.id)
    and not exists (select from jobs where jobs.commit_id = commits.id)`,
  raw_configs: sql<boolean>`
    not exists (select from request_configs where raw_config_id = raw_configs.id)`,
}

/** Deletes rows that only deleted requests referred to. Only in a transaction. */
export async function deleteOrphans(tx: Database, repositoryId: number): Promise<void> {
  for (const [table, isOrphan] of Object.entries(orphans)) {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)}
      where repository_id = ${repositoryId} and ${isOrphan}
      for update skip locked
    `.execute(tx)
    // Queried again under the lock: a new request may have named a row while the first statement
    // ran.
    await sql`
      delete from ${sql.table(table)}
      where id = any(${rows.map(({ id }) => id)}::bigint[]) and ${isOrphan}
    `.execute(tx)
  }
  await sql`
    delete from commit_statuses
    where repository_id = ${repositoryId} and posted_at < ${secondsAgo(day)}
      and not exists (
        select from commits
        where commits.repository_id = commit_statuses.repository_id and commits.sha = commit_statuses.sha)
      and not exists (
        select from requests
        where requests.repository_id = commit_statuses.repository_id
          and requests.head_commit = commit_statuses.sha)
  `.execute(tx)
}

/** Deletes processed webhooks that are older than this and did not create an existing request. */
export async function deleteOldDeliveries(db: Database, days: number): Promise<void> {
  await sql`
    delete from deliveries
    where processed_at < ${secondsAgo(days * day)}
      and not exists (select from requests where requests.delivery_id = deliveries.id)
  `.execute(db)
}

/** Sizes in bytes of the stored records, and the number of builds. */
export interface Sizes {
  database: number
  logs: number
  /** Size of logs that are compressed objects, outside of the database. */
  objects: number
  builds: number
  /** The repository with the most log text. */
  largest: string | null
}

export async function readSizes(db: Database): Promise<Sizes> {
  const { rows } = await sql<Sizes>`
    select pg_database_size(current_database())::float8 as database,
      pg_total_relation_size('log_parts')::float8 as logs,
      (select coalesce(sum(object_bytes), 0)::float8 from log_objects) as objects,
      (select count(*)::int from builds) as builds,
      (select owner_name || '/' || name from repositories where id = (
        select repository_id from jobs join (
          select log_id, octet_length(content) as bytes from log_parts
          union all select log_id, object_bytes from log_objects
        ) as texts on log_id = jobs.id
        group by repository_id order by sum(bytes) desc limit 1)) as largest
  `.execute(db)
  const [sizes] = rows
  if (!sizes) throw new Error('a statement without a table returned no row')
  return sizes
}
