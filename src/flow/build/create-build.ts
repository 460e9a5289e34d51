import type { PlannedJob } from '../../buildfile/expand/plan.ts'
import type { Build } from '../../domain/build.ts'
import type { Commit } from '../../domain/commit.ts'
import { noUsableConfig } from '../../domain/log-endings.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import type { Stage } from '../../domain/stage.ts'
import { statusKindsOf } from '../../domain/status.ts'
import { putBranch, putTag, setLastBuildOfBranch } from '../../store/branches.ts'
import { findBranchToBuild, insertBuild, lastOutcomeOfPull } from '../../store/builds.ts'
import { insertJobs } from '../../store/jobs.ts'
import { insertParts } from '../../store/logs.ts'
import { takeBuildNumber } from '../../store/repositories.ts'
import { insertStages } from '../../store/stages.ts'
import { type Database, json } from '../../store/tables.ts'
import type { BuildPlan } from '../build-file/plan-build.ts'
import type { Transaction } from '../transact.ts'
import { announceBuild } from './announce-build.ts'

/** The queue that jobs are shown in; every runner of this installation works on it. */
const defaultQueue = 'builds.linux'

interface NewBuild {
  repository: Repository
  request: Request
  commit: Commit
  plan: BuildPlan
}

/**
 * Creates the build with its stages, jobs and logs, inside the transaction that also decides the
 * request (RQ-03). From an unusable plan, the build is created as finished.
 */
export async function createBuild(tx: Transaction, newBuild: NewBuild): Promise<Build> {
  const { db } = tx
  const { repository, request, commit, plan } = newBuild
  const number = await takeBuildNumber(db, repository.id, request.event_type === 'pull_request')
  const build = await insertBuild(db, {
    ...(await refsOf(db, newBuild)),
    ...initialState(tx, plan),
    repository_id: repository.id,
    request_id: request.id,
    commit_id: commit.id,
    pull_request_id: request.pull_request_id,
    number,
    event_type: request.event_type,
    config: json(plan.config),
    config_error: plan.unusable?.error ?? null,
    fast_finish: plan.plan.fast_finish,
    // SV-26: a maintainer has to review an outsider's code first.
    waits_for_approval: request.from_fork && plan.unusable === null,
    private: repository.private,
    sender_id: request.sender_id,
    created_at: tx.now(),
    updated_at: tx.now(),
  })
  await createJobs(tx, newBuild, build)
  await setLastBuilds(db, repository, build, commit)
  await announceBuild(tx, build, {
    repository_id: repository.id,
    sha: request.head_commit ?? commit.sha,
    kinds: statusKindsOf(request),
  })
  tx.follow('jobs.schedule', { owner_id: repository.owner_id, owner_type: repository.owner_type })
  return build
}

/** State and times of a new build, or of one that is finished at once (CF-10). */
function initialState({ now }: Transaction, { unusable }: BuildPlan) {
  if (!unusable) return { state: 'created' as const, started_at: null, finished_at: null }
  const ended = now()
  return { state: 'errored' as const, started_at: ended, finished_at: ended, duration: 0 }
}

/** The branch and the tag that are built, and the state in which the build before it ended. */
async function refsOf(db: Database, { repository, request, commit }: NewBuild) {
  if (request.event_type === 'pull_request') {
    const previous_state = await lastOutcomeOfPull(db, request.pull_request_id ?? 0)
    return { branch_id: null, tag_id: null, previous_state }
  }
  const tag = commit.tag_name === null ? null : await putTag(db, repository.id, commit.tag_name)
  const known = await findBranchToBuild(db, repository.id, commit.branch)
  const branch = known ?? (await newBranch(db, repository, commit))
  return { ...branch, tag_id: tag?.id ?? null }
}

async function newBranch(db: Database, { id }: Repository, { branch }: Commit) {
  return { branch_id: (await putBranch(db, id, branch)).id, previous_state: null }
}

async function createJobs(
  tx: Transaction,
  { repository, commit, plan }: NewBuild,
  build: Build,
): Promise<void> {
  const { state, started_at, finished_at } = initialState(tx, plan)
  const stages = await insertStages(
    tx.db,
    build.id,
    plan.plan.stages.map(({ name }) => name),
    { state, started_at, finished_at },
  )
  const common = {
    state,
    started_at,
    finished_at,
    repository_id: repository.id,
    build_id: build.id,
    commit_id: commit.id,
    owner_id: repository.owner_id,
    owner_type: repository.owner_type,
    queue: defaultQueue,
    private: repository.private,
    created_at: tx.now(),
  }
  const rows = plan.plan.jobs.map((job) => ({
    ...jobRow(job, stages, plan.plan.differing),
    number: `${build.number}.${job.number}`,
  }))
  const ids = await insertJobs(tx.db, common, rows)
  if (plan.unusable) await writeErrorLog(tx.db, ids, plan.unusable)
}

function jobRow(job: PlannedJob, stages: readonly Stage[], differing: string[]) {
  return {
    stage_id: stages.find(({ name }) => name === job.stage)?.id ?? null,
    stage_number: job.stage_number,
    name: job.name,
    config: job.config,
    allow_failure: job.allow_failure,
    origin: { ...job.origin, differing },
  }
}

async function writeErrorLog(
  db: Database,
  ids: readonly number[],
  { error, text }: NonNullable<BuildPlan['unusable']>,
): Promise<void> {
  const content = noUsableConfig(text, error)
  for (const job_id of ids) {
    await insertParts(db, { job_id, attempt: 0 }, [
      { number: 1, content, final: false },
      { number: 2, content: '', final: true },
    ])
  }
}

/** The newest push, api or cron build is the last one of its branch (ST-29). */
async function setLastBuilds(
  db: Database,
  repository: Repository,
  build: Build,
  commit: Commit,
): Promise<void> {
  if (build.branch_id === null) return
  const isDefault = commit.branch === repository.default_branch_name && commit.tag_name === null
  await setLastBuildOfBranch(db, build.branch_id, build.id, isDefault ? repository.id : null)
}
