import { sql } from 'kysely'
import type { Build } from '../../domain/build.ts'
import type { Commit, PullRequest } from '../../domain/commit/commit.ts'
import type { Job } from '../../domain/job/job.ts'
import type { LogPart } from '../../domain/log/log.ts'
import type { User } from '../../domain/owner.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Stage } from '../../domain/stage.ts'
import { findBuild } from '../builds/builds.ts'
import { stagesOfBuild } from '../builds/stages.ts'
import { findCommit } from '../commits/commits.ts'
import { findJob } from '../jobs/jobs.ts'
import { findUser } from '../people/users.ts'
import { findRepository } from '../repositories/repositories.ts'
import { secondsAgo } from '../sql/age.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import {
  isLogRestricted,
  isPublicJob,
  isShownWithBuild,
  liveRepository,
} from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

/** Parts of a log to publish, as of the moment when they were read. */
export interface LiveParts {
  /** Whether anyone can see them. */
  public: boolean
  parts: LogPart[]
  /** Whether there may be more parts. */
  isFull: boolean
}

const mostParts = 64

// A lost attempt ends with a final part although its job continues: clients that follow the job
// must not stop there.
const nextParts = prepared<LogPart & { public: boolean }>(`
  select log_parts.number, content,
    final and jobs.attempt = log_parts.attempt and jobs.state not in ('created', 'queued') as final,
    ${isPublicJob} and not ${isLogRestricted} as public
  from log_parts
  join jobs on jobs.id = log_parts.log_id
  join repositories on repositories.id = jobs.repository_id and ${liveRepository}
  where log_id = $1 and log_parts.attempt = $2 and log_parts.number > $3
  order by log_parts.number
  limit ${mostParts}
`)

/** The parts of an attempt with numbers above `after`; none for a deleted repository. */
export async function partsAfter(
  db: Database,
  { job_id, attempt }: { job_id: number; attempt: number },
  after: number,
): Promise<LiveParts> {
  const rows = await nextParts(db, job_id, attempt, after)
  return {
    public: rows.every((row) => row.public),
    parts: rows.map(({ number, content, final }) => ({ number, content, final })),
    isFull: rows.length === mostParts,
  }
}

export interface LiveJob {
  job: Job
  repository: Repository
  commit: Commit | null
  stage: Stage | null
}

/** Undefined when the job or its repository is deleted. */
export async function liveJob(db: Database, id: number): Promise<LiveJob | undefined> {
  const job = await findJob(db, id)
  const repository = job && (await findRepository(db, { id: job.repository_id }))
  if (!repository) return
  const [commit, stages] = await Promise.all([
    findCommit(db, job.commit_id),
    job.stage_id === null ? [] : stagesOfBuild(db, job.build_id),
  ])
  const stage = stages.find((each) => each.id === job.stage_id) ?? null
  return { job, repository, commit: commit ?? null, stage }
}

export interface LiveBuild {
  build: Build
  repository: Repository
  last: Build | null
  commit: Commit | null
  pull: Pick<PullRequest, 'number' | 'title'> | null
  sender: User | null
  stages: Stage[]
  job_ids: number[]
}

/** Undefined when the build or its repository is deleted. */
export async function liveBuild(db: Database, id: number): Promise<LiveBuild | undefined> {
  const build = await findBuild(db, id)
  const repository = build && (await findRepository(db, { id: build.repository_id }))
  if (!repository) return
  const { last_build_id } = repository
  const [last, commit, pull, sender, stages, job_ids] = await Promise.all([
    last_build_id === null ? null : findBuild(db, last_build_id),
    findCommit(db, build.commit_id),
    build.pull_request_id === null ? null : findPull(db, build.pull_request_id),
    build.sender_id === null ? null : findUser(db, build.sender_id),
    stagesOfBuild(db, id),
    visibleAsBuild(db, id),
  ])
  return {
    build,
    repository,
    last: last ?? null,
    commit: commit ?? null,
    pull: pull ?? null,
    sender: sender ?? null,
    stages,
    job_ids,
  }
}

/**
 * The jobs with the same visibility as their build: a job can have been restarted while the
 * repository was private.
 */
async function visibleAsBuild(db: Database, buildId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select jobs.id from jobs join builds on builds.id = build_id
    where build_id = ${buildId} and ${sql.raw(isShownWithBuild)}
    order by jobs.id
  `.execute(db)
  return rows.map(({ id }) => id)
}

function findPull(db: Database, id: number) {
  return db
    .selectFrom('pull_requests')
    .select(['number', 'title'])
    .where('id', '=', id)
    .executeTakeFirst()
}

const permitted = prepared<{ user_id: number }>(`
  select user_id from permissions
  where repository_id = $1 and user_id = any(coalesce(${listed('$2', 'bigint[]')}, array[user_id]))
`)

/** The users with a role on a repository, among these if any are named. */
export async function permittedUsers(
  db: Database,
  repositoryId: number,
  among: readonly number[] | null,
): Promise<number[]> {
  const rows = await permitted(db, repositoryId, among)
  return rows.map(({ user_id }) => user_id)
}

/** The jobs in the list that have not ended, or ended within the last ten minutes, each with its attempt. */
export async function recentAttempts(
  db: Database,
  ids: readonly number[],
): Promise<{ id: number; attempt: number }[]> {
  const { rows } = await sql<{ id: number; attempt: number }>`
    select id, attempt from jobs
    where id = any(${ids}::bigint[])
      and (finished_at is null or finished_at > ${secondsAgo(600)})
    order by id
  `.execute(db)
  return rows
}
