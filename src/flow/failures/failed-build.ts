import { isForAllReaders } from '../../access/visibility.ts'
import type { Build } from '../../domain/build.ts'
import { type FailedBuild, failedBuildText, type Shown } from '../../domain/failure/failed-build.ts'
import type { Outside } from '../../domain/failure/outside.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import { findBuild } from '../../store/builds/builds.ts'
import { failuresOf } from '../../store/jobs/job-runs.ts'
import { jobsOfBuild } from '../../store/jobs/jobs.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { settingsOf } from '../../store/repositories/settings.ts'
import type { Database } from '../../store/tables.ts'
import { importsFromOthers, ownSlug, slugOfSource } from './run-inputs.ts'

/**
 * A build that did not pass, with the jobs that decided its result and the cause of each failure.
 */
async function findFailedBuild(
  db: Database,
  id: number,
): Promise<(FailedBuild & { build: Build }) | undefined> {
  const build = await findBuild(db, id)
  if (build?.state !== 'failed' && build?.state !== 'errored') return undefined
  const jobs = await jobsOfBuild(db, id)
  const deciding = jobs.filter(
    ({ state, allow_failure }) => state === build.state && !allow_failure,
  )
  const failures = await failuresOf(
    db,
    deciding.map((job) => job.id),
  )
  const failed = deciding.map((job) => ({ job, failure: failures.get(job.id) }))
  return { build, jobs: jobs.length, failed }
}

/**
 * The parts of a failed build that readers of a commit can see: no lines if the log is restricted,
 * and no names if the build is from a time when the repository was private, or if the names can
 * come from a private file of another repository.
 */
export async function shownToReaders(
  db: Database,
  repository: FoundRepository,
  build: Build,
): Promise<Shown> {
  if (!isForAllReaders(repository, build)) return { names: false, lines: false }
  if (await hasPrivateImports(db, repository, build)) return { names: false, lines: false }
  const { job_log_access_based_limit: isClosed } = await settingsOf(db, repository.id)
  return { names: true, lines: !isClosed }
}

/**
 * The failure of a build, in one line of at most `longest` characters, for the readers of its
 * commit.
 */
export async function textOfFailedBuild(
  db: Database,
  repository: FoundRepository,
  id: number,
  longest: number,
): Promise<string | undefined> {
  const found = await findFailedBuild(db, id)
  if (!found?.failed.some(({ failure }) => failure)) return undefined
  return failedBuildText(found, await shownToReaders(db, repository, found.build), longest)
}

/**
 * Whether the readers of a commit can know the sources of the files in which two runs differ: the
 * earlier run may have imported a file that the build itself no longer imports.
 */
export async function maySeeSources(
  db: Database,
  repository: FoundRepository,
  outside: Outside | null,
): Promise<boolean> {
  const slugs = (outside?.changes ?? []).flatMap(({ kind, name }) =>
    kind === 'import' && name !== null ? [slugOfSource(name)] : [],
  )
  const foreign = slugs.filter((slug) => slug !== ownSlug(repository))
  return !(await isAnyPrivate(db, repository, foreign))
}

/** Whether the build file imports from another repository that is private or unknown. */
async function hasPrivateImports(
  db: Database,
  repository: FoundRepository,
  build: Build,
): Promise<boolean> {
  const imported = await importsFromOthers(db, build, repository)
  const foreign = imported.map(({ slug }) => slug)
  return isAnyPrivate(db, repository, foreign)
}

async function isAnyPrivate(
  db: Database,
  { provider }: FoundRepository,
  slugs: readonly string[],
): Promise<boolean> {
  const sources = await Promise.all(
    [...new Set(slugs)].map((slug) => findRepository(db, { slug, provider })),
  )
  return sources.some((source) => !source || source.private)
}
