import { presentJobConfig } from '../../../domain/config/shown-config.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { time } from '../../../domain/time/api-time.ts'
import type { JobOfBuild } from '../../../store/builds/build-records.ts'

export function presentJob(
  job: JobOfBuild,
  repository: Pick<Repository, 'owner_name' | 'name'>,
  from_fork: boolean,
) {
  return {
    id: job.id,
    repository_id: job.repository_id,
    repository_slug: slugOf(repository),
    build_id: job.build_id,
    stage_id: job.stage_id,
    commit_id: job.commit_id,
    log_id: job.id,
    number: job.number,
    config: presentJobConfig(job.config, from_fork),
    state: job.state,
    started_at: time(job.started_at),
    finished_at: time(job.finished_at),
    queue: job.queue,
    allow_failure: job.allow_failure,
    tags: null,
  }
}
