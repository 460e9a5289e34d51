import type { Build } from '../../domain/build.ts'
import type { Commit, PullRequest } from '../../domain/commit/commit.ts'
import type { Job } from '../../domain/job/job.ts'
import { together } from '../sql/batched-query.ts'
import { commitIn, ran, reader, type Written } from '../sql/json-rows.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import { jobVisibleBesideBuild } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

/** A job as a build shows it. */
export type JobOfBuild = Pick<Job, (typeof shownJobMembers)[number]>

export interface BuildRecords {
  commit: Commit | null
  /** The jobs that the viewer can see. */
  jobs: JobOfBuild[]
  pull: Pick<PullRequest, 'number' | 'title'> | null
  /** Whether the build was requested from a fork; assumed if its request is gone. */
  from_fork: boolean
}

/** The members of a job that responses about builds show. */
export const shownJobMembers = [
  'id',
  'repository_id',
  'build_id',
  'stage_id',
  'commit_id',
  'number',
  'config',
  'state',
  'started_at',
  'finished_at',
  'queue',
  'allow_failure',
] as const

const jobIn = reader<JobOfBuild>(ran)

interface Row {
  commit: Written<Commit> | null
  jobs: Written<JobOfBuild>[] | null
  pull: BuildRecords['pull']
  from_fork: boolean | null
}

const recordsOf = prepared<Row>(`
  select
    (select row_to_json(commits) from commits where id = asked.commit_id) as commit,
    (select json_agg(job order by id) from (
      select ${shownJobMembers.join()} from jobs
      where build_id = asked.build_id and ${jobVisibleBesideBuild('asked.user_id')}
    ) as job) as jobs,
    (select row_to_json(pull) from (
      select number, title from pull_requests where id = asked.pull_id) as pull) as pull,
    (select from_fork from requests where id = asked.request_id) as from_fork
  from unnest(${['$1', '$2', '$3', '$4', '$5'].map((list) => listed(list, 'bigint[]')).join()})
    with ordinality as asked (build_id, commit_id, pull_id, request_id, user_id, position)
  order by asked.position
`)

interface Asked {
  build: Build
  userId: number | undefined
}

const rowsOf = (db: Database, asked: readonly Asked[]) =>
  recordsOf(
    db,
    asked.map(({ build }) => build.id),
    asked.map(({ build }) => build.commit_id),
    asked.map(({ build }) => build.pull_request_id),
    asked.map(({ build }) => build.request_id),
    asked.map(({ userId }) => userId ?? null),
  )

const read = together(async (db, asked: readonly Asked[]) => [...(await rowsOf(db, asked))])

/** The records that a viewer is shown with a build that the viewer can see, in one statement. */
export async function recordsOfBuild(
  db: Database,
  build: Build,
  userId: number | undefined,
): Promise<BuildRecords> {
  return recordsIn(await read(db, { build, userId }))
}

/** The records of each build of a list, in the order of the list, in one statement. */
export async function recordsOfBuilds(
  db: Database,
  builds: readonly Build[],
  userId: number | undefined,
): Promise<BuildRecords[]> {
  if (builds.length === 0) return []
  const rows = await rowsOf(
    db,
    builds.map((build) => ({ build, userId })),
  )
  return rows.map(recordsIn)
}

function recordsIn({ commit, jobs, pull, from_fork }: Row): BuildRecords {
  return {
    commit: commit && commitIn(commit),
    jobs: (jobs ?? []).map(jobIn),
    pull,
    from_fork: from_fork ?? true,
  }
}
