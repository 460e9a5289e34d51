import { type QueryCreator, sql } from 'kysely'
import type { Build } from '../../domain/build.ts'
import type { Job } from '../../domain/job/job.ts'
import { runPrepared, runPreparedFirst } from '../sql/prepared-statements.ts'
import type { Database, Tables } from '../tables.ts'

/** The build of a job that has started, as it was before the start, and the job's stage. */
export type BuildOfStart = Build & Pick<Job, 'stage_id'>

/**
 * Starts a job that a runner has received, and locks its build for the rest of the transaction (ST-01):
 * the build is locked first, as in canceling. Undefined if the job no longer belongs to this attempt.
 */
export function startReceivedJob(
  db: Database,
  { id, attempt, build_id }: Pick<Job, 'id' | 'attempt' | 'build_id'>,
  started_at: Date,
): Promise<BuildOfStart | undefined> {
  const started = db
    .with('build', (query) =>
      query.selectFrom('builds').selectAll().where('id', '=', build_id).forUpdate(),
    )
    .with('started', (query) =>
      query
        .updateTable('jobs')
        .from('build')
        .set({ state: 'started', started_at, updated_at: sql`now()` })
        .whereRef('jobs.build_id', '=', 'build.id')
        .where('jobs.id', '=', id)
        .where('jobs.state', '=', 'received')
        .where('jobs.attempt', '=', attempt)
        .returning('jobs.stage_id'),
    )
    .selectFrom(['build', 'started'])
    .selectAll('build')
    .select('started.stage_id')
  return runPreparedFirst(db, started)
}

/**
 * Starts a build and makes it the last build of its repository (ST-27), unless the repository already
 * has a newer one. The caller holds the lock on the build.
 */
export async function startBuild(
  db: Database,
  build: Pick<Build, 'id' | 'repository_id' | 'started_at'>,
  at: Date,
): Promise<void> {
  const started = db
    .with('shown', (query) => lastBuild(query, build, at))
    .updateTable('builds')
    .set({ state: 'started', started_at: build.started_at ?? at, updated_at: sql`now()` })
    .where('id', '=', build.id)
  await runPrepared(db, started)
}

/**
 * Makes a build that ended with an error before it could start the last build of its repository, unless the
 * repository already has a newer one: otherwise an older success would stay its result (ST-27). A fork that
 * no one approved changes no result that way.
 */
export async function showEndedBuild(
  db: Database,
  build: Pick<Build, 'id' | 'repository_id' | 'waits_for_approval' | 'without_approval'>,
  at: Date,
): Promise<void> {
  if (build.waits_for_approval || build.without_approval) return
  await runPrepared(db, lastBuild(db, build, at))
}

function lastBuild(
  db: QueryCreator<Tables>,
  { id, repository_id }: Pick<Build, 'id' | 'repository_id'>,
  at: Date,
) {
  return db
    .updateTable('repositories')
    .set({ last_build_id: id, last_build_started_at: at })
    .where('id', '=', repository_id)
    .where((eb) => eb.or([eb('last_build_id', 'is', null), eb('last_build_id', '<', id)]))
}
