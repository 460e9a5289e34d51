import { jobRights } from '../../../access/build-rights.ts'
import { presentJobConfig } from '../../../domain/config/shown-config.ts'
import type { BareJob } from '../../../domain/job/job.ts'
import type { SecretsFound } from '../../../domain/log/log.ts'
import { preciseTime, time } from '../../../domain/time/api-time.ts'
import { type FoundConfig, jobConfigs } from '../../../store/jobs/job-records.ts'
import { secretsFoundIn } from '../../../store/jobs/log-scans.ts'
import { queuePositions } from '../../../store/jobs/queue-positions.ts'
import { waitingReasons } from '../../../texts/waiting-reasons.ts'
import type { InRepository } from '../../core/path-id.ts'
import { jobNotes } from '../../views/job-notes.ts'
import { always, each, resourceOf, type View, type Models } from '../core/resource.ts'
import { areLogsComplete } from '../records/log-complete.ts'
import { linked, linkedBy } from '../render/linked.ts'
import { loader } from '../render/loader.ts'
import { ownersOf } from '../render/reads.ts'
import { charactersLeft, tooLong } from '../render/response-budget.ts'

type JobModel = InRepository<BareJob>

declare module '../core/resource.ts' {
  interface Models {
    job: JobModel
  }
}

const userOf = linked('users')

const foundConfigs = loader<number, FoundConfig | null>(
  (jobId) => jobId,
  async ({ ctx, call }, jobIds) => {
    const configs = await jobConfigs(ctx.db, jobIds, charactersLeft(call))
    if (!configs) throw tooLong()
    return jobIds.map((id) => configs.get(id) ?? null)
  },
)

const secretsFound = loader<number, SecretsFound | null>(
  (jobId) => jobId,
  async ({ ctx }, jobIds) => {
    const found = await secretsFoundIn(ctx.db, jobIds)
    return jobIds.map((id) => found.get(id) ?? null)
  },
)

async function configsOf(view: View, jobs: readonly JobModel[]): Promise<unknown[]> {
  const found = await foundConfigs(
    view,
    jobs.map(({ id }) => id),
  )
  return found.map((each) => each && presentJobConfig(each.config, each.from_fork))
}

/** Notes for each job on keys of its build file that are not carried out as written. */
async function notesOf(view: View, jobs: readonly JobModel[]): Promise<string[][]> {
  const found = await foundConfigs(
    view,
    jobs.map(({ id }) => id),
  )
  return jobs.map((job, index) => {
    const own = found[index]
    return own ? jobNotes({ ...job, ...own }) : []
  })
}

/** A job, with attributes beyond the interface: when it was queued, and why it does not run yet. */
export const job = resourceOf<JobModel>()({
  type: 'job',
  href: ({ id }) => `/job/${id}`,
  rights: jobRights,
  permissions: [
    'read',
    'write',
    'cancel',
    'restart',
    'prioritize',
    'debug',
    'delete_log',
    'view_log',
  ],
  representations: {
    minimal: ['id'],
    standard: [
      'id',
      'allow_failure',
      'number',
      'state',
      'queue',
      'started_at',
      'finished_at',
      'restarted_at',
      'created_at',
      'updated_at',
      'private',
      'build',
      'repository',
      'commit',
      'owner',
      'stage',
      'restarted_by',
      'vm_size',
      'queued_at',
      'received_at',
      'canceled_at',
      'canceled_by',
      'cancel_reason',
      'waiting_reasons',
      'queue_position',
    ],
  },
  includable: ['config', 'image', 'log_complete', 'notes', 'secrets_found'],
  values: {
    started_at: each(({ started_at }) => time(started_at)),
    finished_at: each(({ finished_at }) => time(finished_at)),
    restarted_at: each(({ restarted_at }) => time(restarted_at)),
    created_at: each(({ created_at }) => preciseTime(created_at)),
    updated_at: each(({ updated_at }) => preciseTime(updated_at)),
    queued_at: each(({ queued_at }) => time(queued_at)),
    received_at: each(({ received_at }) => time(received_at)),
    canceled_at: each(({ canceled_at }) => time(canceled_at)),
    vm_size: always(null),
    waiting_reasons: reasonsOf,
    queue_position: positionsOf,
    config: configsOf,
    notes: notesOf,
    log_complete: areLogsComplete,
    secrets_found: (view, jobs) =>
      secretsFound(
        view,
        jobs.map(({ id }) => id),
      ),
  },
  links: {
    build: { to: 'build', read: linkedBy('builds', ({ build_id }: JobModel) => build_id) },
    repository: { to: 'repository', read: each(({ repository }) => repository) },
    commit: { to: 'commit', read: linkedBy('commits', ({ commit_id }: JobModel) => commit_id) },
    owner: { to: ['user', 'organization'], read: ownersOf },
    stage: { to: 'stage', read: linkedBy('stages', ({ stage_id }: JobModel) => stage_id) },
    canceled_by: {
      to: 'user',
      read: (view, jobs) =>
        userOf(
          view,
          jobs.map(({ canceled_by_id }) => canceled_by_id),
        ),
    },
    restarted_by: {
      to: 'user',
      read: (view, jobs) =>
        userOf(
          view,
          jobs.map(({ restarted_by_id }) => restarted_by_id),
        ),
    },
  },
})

type Job = Models['job']

const positionsIn = loader<number, ReadonlyMap<number, number>>(
  (buildId) => buildId,
  async ({ ctx }, buildIds) => {
    const positions = await queuePositions(ctx.db, buildIds)
    return buildIds.map(() => positions)
  },
)

/** The queue position of each of these jobs; null for jobs that do not wait in a queue. */
async function positionsOf(view: View, jobs: readonly Job[]): Promise<(number | null)[]> {
  const waiting = jobs.filter(({ state }) => state === 'created' || state === 'queued')
  const positions = await positionsIn(
    view,
    waiting.map(({ build_id }) => build_id),
  )
  const placed = new Map(waiting.map(({ id }, index) => [id, positions[index]?.get(id)]))
  return jobs.map(({ id }) => placed.get(id) ?? null)
}

/** Why each job does not run yet, a sentence for each reason; none for jobs that have started. */
async function reasonsOf(view: View, jobs: readonly Job[]): Promise<string[][]> {
  const positions = await positionsOf(view, jobs)
  return jobs.map((job, index) => waitingReasons(job, positions[index] ?? undefined))
}
