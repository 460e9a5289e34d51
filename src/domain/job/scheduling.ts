import { type Check, check } from '../request/check.ts'
import { isolationCheck, needsIsolation } from './isolation.ts'
import { isFinished, type JobState, running } from './job.ts'
import type { Provider } from '../owner.ts'

/** A job as the scheduler sees it. */
export interface Schedulable {
  id: number
  build_id: number
  repository_id: number
  /** Of the repository. */
  provider: Provider
  state: JobState
  allow_failure: boolean
  /** Number of the job's stage; null where the build has none. */
  stage: number | null
  stage_name: string | null
  waits_for_approval: boolean
  /** Why its last run was lost, while it pauses before the next one. */
  retry_reason: string | null
}

export interface Limits {
  /** Running jobs of this owner; negative means no limit. */
  owner: number
  /** Running jobs by repository; absent or 0 means no limit (SC-10). */
  repositories: ReadonlyMap<number, number>
  /** Whether jobs that need isolation can run: a runner isolates them, or need not. */
  isolated: boolean
}

export interface Schedule {
  /** Ids of the jobs to enqueue, required ones before those that may fail. */
  picked: number[]
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
  const waiting: Schedule['waiting'] = []

  for (const job of jobs.filter(({ state }) => state === 'created')) {
    const checks = checksOf(job, stages, limits, counts)
    if (checks.every(({ passed }) => passed)) {
      picked.push(job)
      counts.owner += 1
      add(counts.repositories, job.repository_id)
    } else {
      waiting.push({ id: job.id, checks })
    }
  }
  const required = picked.filter(({ allow_failure }) => !allow_failure)
  const mayFail = picked.filter(({ allow_failure }) => allow_failure)
  return { picked: [...required, ...mayFail].map(({ id }) => id), waiting }
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
    isolationCheck(limits.isolated || !needsIsolation(job)),
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
