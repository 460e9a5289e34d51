import { type Check, check } from '../request/check.ts'
import { isFinished, type JobState, running } from './job.ts'
import {
  type PlacedJob,
  type PlacedRunner,
  placementChecks,
  type PlacementRules,
} from './placement.ts'

/** A job as the scheduler sees it. */
export interface Schedulable extends PlacedJob {
  id: number
  build_id: number
  repository_id: number
  state: JobState
  allow_failure: boolean
  /** Number of the job's stage; null if the build has no stages. */
  stage: number | null
  stage_name: string | null
  waits_for_approval: boolean
  /** Why its last run was lost, while it pauses before the next one. */
  retry_reason: string | null
  /** For how long no runner has had the machine that the job requests; null while a runner has it. */
  unmet_seconds: number | null
}

export interface Limits {
  /** Running jobs of this owner; negative means no limit. */
  owner: number
  /** Running jobs by repository; absent or 0 means no limit (SC-10). */
  repositories: ReadonlyMap<number, number>
  /** The runners that are alive. */
  runners: readonly PlacedRunner[]
  rules: PlacementRules
  /** For how long a job waits for a runner on the machine that it requests. */
  unmetSeconds: number
}

export interface Schedule {
  /** Ids of the jobs to enqueue, required ones before those that may fail. */
  picked: number[]
  /** The jobs whose machine no runner has and that no longer wait for a runner (D52). */
  unmet: Pick<Schedulable, 'id' | 'build_id'>[]
  /** Why each of the other waiting jobs waits. */
  waiting: { id: number; checks: Check[] }[]
}

/**
 * Decides which waiting jobs of one owner are enqueued now. `jobs` are all jobs, in order of
 * their ids, of the owner's builds that have a waiting or running job.
 */
export function schedule(jobs: readonly Schedulable[], limits: Limits): Schedule {
  const stages = openStages(jobs)
  const busy = jobs.filter(isRunning)
  const counts = { owner: busy.length, repositories: countByRepository(busy) }
  const picked: Schedulable[] = []
  const unmet: Schedule['unmet'] = []
  const waiting: Schedule['waiting'] = []

  for (const job of jobs.filter(({ state }) => state === 'created')) {
    const checks = checksOf(job, stages, limits, counts)
    if (checks.every(({ passed }) => passed)) {
      picked.push(job)
      counts.owner += 1
      add(counts.repositories, job.repository_id)
    } else if (lacksOnlyMachine(checks) && (job.unmet_seconds ?? 0) >= limits.unmetSeconds) {
      unmet.push(job)
    } else {
      waiting.push({ id: job.id, checks })
    }
  }
  const required = picked.filter(({ allow_failure }) => !allow_failure)
  const mayFail = picked.filter(({ allow_failure }) => allow_failure)
  return { picked: [...required, ...mayFail].map(({ id }) => id), unmet, waiting }
}

/** Whether a job could run next if its machine existed: waiting for limits alone would end at some time. */
function lacksOnlyMachine(checks: readonly Check[]): boolean {
  const failed = checks.flatMap(({ rule, passed }) => (passed ? [] : rule))
  return (
    failed.includes('machine') &&
    failed.every((rule) => ['machine', 'repository_limit', 'owner_limit'].includes(rule))
  )
}

interface Counts {
  owner: number
  repositories: Map<number, number>
}

function checksOf(
  job: Schedulable,
  stages: ReadonlyMap<number, OpenStage>,
  limits: Limits,
  counts: Counts,
): Check[] {
  const open = stages.get(job.build_id)
  const ofRepository = limits.repositories.get(job.repository_id) ?? 0
  const running = counts.repositories.get(job.repository_id) ?? 0
  return [
    check('approval', !job.waits_for_approval),
    check(
      'pause',
      job.retry_reason === null,
      job.retry_reason === null ? {} : { says: job.retry_reason },
    ),
    ...placementChecks(job, limits.runners, limits.rules),
    // A stage holds back the next one until all its jobs ended, also those that may fail.
    check('stage', job.stage === null || job.stage === open?.number, {
      stage: job.stage,
      running_stage: open?.number ?? null,
      running_stage_name: open?.name ?? null,
    }),
    check('repository_limit', ofRepository <= 0 || running < ofRepository, {
      running,
      maximum_number_of_builds: ofRepository,
    }),
    check('owner_limit', limits.owner < 0 || counts.owner < limits.owner, {
      running: counts.owner,
      limit: limits.owner,
    }),
  ]
}

interface OpenStage {
  number: number
  name: string | null
}

/** For each build the first stage that still has an unfinished job. */
function openStages(jobs: readonly Schedulable[]): Map<number, OpenStage> {
  const open = new Map<number, OpenStage>()
  for (const { build_id, stage, stage_name, state } of jobs) {
    if (stage === null || isFinished({ state })) continue
    if (stage < (open.get(build_id)?.number ?? Infinity)) {
      open.set(build_id, { number: stage, name: stage_name })
    }
  }
  return open
}

function isRunning({ state }: Schedulable): boolean {
  return (running as readonly JobState[]).includes(state)
}

function countByRepository(jobs: readonly Schedulable[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { repository_id } of jobs) add(counts, repository_id)
  return counts
}

function add(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
