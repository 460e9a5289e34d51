import type { BareJob, Job } from '../domain/job/job.ts'

/** The columns of a job without its part of the build file. */
export const bareColumns = [
  'id',
  'repository_id',
  'build_id',
  'stage_id',
  'commit_id',
  'owner_id',
  'owner_type',
  'number',
  'name',
  'stage_number',
  'state',
  'queue',
  'allow_failure',
  'private',
  'checks',
  'attempt',
  'resets',
  'retries',
  'retry_at',
  'retry_reason',
  'unlucky_since',
  'canceled_by_stage',
  'found_version',
  'created_at',
  'updated_at',
  'queued_at',
  'received_at',
  'started_at',
  'finished_at',
  'canceled_at',
  'restarted_at',
  'restarted_by_id',
] as const satisfies readonly (keyof BareJob)[]

/** All of them, for statements that are prepared, which name what they read. */
export const jobColumns = [
  ...bareColumns,
  'config',
  'origin',
] as const satisfies readonly (keyof Job)[]
