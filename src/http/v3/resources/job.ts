import { jobRights } from '../../../access/build-rights.ts'
import type { BareJob } from '../../../domain/job/job.ts'
import { jobConfigs } from '../../../store/job-configs.ts'
import type { InRepository } from '../../find-record.ts'
import { presentJobConfig } from '../../../domain/shown-config.ts'
import { preciseTime, time } from '../../time.ts'
import { linked, linkedBy } from '../linked.ts'
import { loader } from '../loader.ts'
import { areLogsComplete } from '../log-complete.ts'
import { ownersOf } from '../reads.ts'
import { always, each, resourceOf } from '../resource.ts'
import { charactersLeft, tooLong } from '../room.ts'
import { positionsOf, reasonsOf } from '../waiting.ts'

type JobModel = InRepository<BareJob>

declare module '../resource.ts' {
  interface Models {
    job: JobModel
  }
}

const userOf = linked('users')

const configOf = loader<number, unknown>(
  (jobId) => jobId,
  async ({ ctx, call }, jobIds) => {
    const configs = await jobConfigs(ctx.db, jobIds, charactersLeft(call))
    if (!configs) throw tooLong()
    return jobIds.map((id) => {
      const found = configs.get(id)
      return found ? presentJobConfig(found.config, found.from_fork) : null
    })
  },
)

/** A job, with what the interface does not have: when it was queued, and why it does not run yet. */
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
      'waiting_reasons',
      'queue_position',
    ],
  },
  includable: ['config', 'log_complete'],
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
    config: (view, jobs) =>
      configOf(
        view,
        jobs.map(({ id }) => id),
      ),
    log_complete: areLogsComplete,
  },
  links: {
    build: { to: 'build', read: linkedBy('builds', ({ build_id }: JobModel) => build_id) },
    repository: { to: 'repository', read: each(({ repository }) => repository) },
    commit: { to: 'commit', read: linkedBy('commits', ({ commit_id }: JobModel) => commit_id) },
    owner: { to: ['user', 'organization'], read: ownersOf },
    stage: { to: 'stage', read: linkedBy('stages', ({ stage_id }: JobModel) => stage_id) },
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
