import type { PlannedJob } from '../../buildfile/expand/plan.ts'
import type { Build } from '../../domain/build.ts'
import type { Commit } from '../../domain/commit/commit.ts'
import { firstAttempt, type Job } from '../../domain/job/job.ts'
import { queueOf } from '../../domain/job/queue-rules.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Stage } from '../../domain/stage.ts'
import { withoutTokens } from '../../domain/text/token-shapes.ts'
import { replaceJob } from '../../store/builds/restarts.ts'
import { insertStages } from '../../store/builds/stages.ts'
import { insertJobs } from '../../store/jobs/jobs.ts'
import { insertParts } from '../../store/jobs/logs.ts'
import { json } from '../../store/tables.ts'
import { noUsableConfig } from '../../texts/log-endings.ts'
import { askedMachine, assumedKeys } from '../build-file/assumed-keys.ts'
import type { BuildPlan } from '../build-file/plan-build.ts'
import type { Transaction } from '../transact.ts'

export interface NewBuild {
  repository: Repository
  request: Request
  commit: Commit
  plan: BuildPlan
  /** Whether its jobs wait until a maintainer has approved its commit, or run before that. */
  approval: Pick<Build, 'waits_for_approval' | 'without_approval'>
}

/** The columns of a build that its plan determines; an unusable plan makes a finished build (CF-10). */
export function plannedColumns(
  { now }: Pick<Transaction, 'now'>,
  { commit, plan, approval }: NewBuild,
) {
  const { unusable } = plan
  return {
    ...initialState(now(), plan),
    duration: unusable ? 0 : null,
    commit_id: commit.id,
    config: json(plan.config),
    config_error: unusable?.error ?? null,
    fast_finish: plan.plan.fast_finish,
    waits_for_approval: approval.waits_for_approval && unusable === null,
    without_approval: approval.without_approval,
  }
}

function initialState(at: Date, { unusable }: BuildPlan) {
  return unusable
    ? { state: 'errored' as const, started_at: at, finished_at: at }
    : { state: 'created' as const, started_at: null, finished_at: null }
}

/**
 * Stores the stages and jobs of a plan; for an unusable plan, with a log of the reason. `replaced` is an
 * existing job that becomes the first job.
 */
export async function createJobs(
  tx: Transaction,
  { repository, commit, plan }: NewBuild,
  build: Build,
  replaced?: Pick<Job, 'id' | 'attempt'>,
): Promise<void> {
  const initial = initialState(tx.now(), plan)
  const stages = await insertStages(
    tx.db,
    build.id,
    plan.plan.stages.map(({ name }) => name),
    initial,
  )
  const common = {
    ...initial,
    repository_id: repository.id,
    build_id: build.id,
    commit_id: commit.id,
    owner_id: repository.owner_id,
    owner_type: repository.owner_type,
    private: build.private,
    created_at: tx.now(),
  }
  const rows = plan.plan.jobs.map((job) => {
    const number = `${build.number}.${job.number}`
    const about = { slug: slugOf(repository), private: build.private, number }
    return {
      ...jobRow(job, stages, plan),
      queue: queueOf(tx.config.queues, about, job.config),
      number,
    }
  })
  const [first, ...others] = rows
  if (!replaced || !first) {
    const id = await insertJobs(tx.db, common, rows)
    if (plan.unusable) await writeErrorLog(tx, { id, attempt: firstAttempt }, plan.unusable)
    return
  }
  const { owner_id, owner_type } = repository
  const place = { commit_id: commit.id, owner_id, owner_type }
  await replaceJob(tx.db, replaced.id, { ...first, ...initial, ...place })
  if (plan.unusable) await writeErrorLog(tx, replaced, plan.unusable)
  if (others.length > 0) await insertJobs(tx.db, common, others)
}

function jobRow(job: PlannedJob, stages: readonly Stage[], plan: BuildPlan) {
  const assumed = assumedKeys(job, plan)
  return {
    ...askedMachine(job, assumed),
    stage_id: stages.find(({ name }) => name === job.stage)?.id ?? null,
    stage_number: job.stage_number,
    // Shown wherever the job is, so also where its configuration is not.
    name: job.name === null ? null : withoutTokens(job.name),
    config: job.config,
    allow_failure: job.allow_failure,
    origin: { ...job.origin, differing: plan.plan.differing, assumed },
  }
}

/** Writes the reason to the log of an unusable plan's only job. */
function writeErrorLog(
  tx: Transaction,
  job: Pick<Job, 'id' | 'attempt'>,
  { error, text }: NonNullable<BuildPlan['unusable']>,
): Promise<void> {
  return writeLog(tx, job, noUsableConfig(text, error))
}

/** The whole log of a job that never runs. */
export async function writeLog(
  { db }: Pick<Transaction, 'db'>,
  { id: job_id, attempt }: Pick<Job, 'id' | 'attempt'>,
  text: string,
): Promise<void> {
  await insertParts(db, { job_id, attempt }, [
    { number: 1, content: text, final: false },
    { number: 2, content: '', final: true },
  ])
}
