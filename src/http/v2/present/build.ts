import type { Build } from '../../../domain/build.ts'
import type { PullRequest } from '../../../domain/commit/commit.ts'
import { presentBuildConfig } from '../../../domain/config/shown-config.ts'
import { time } from '../../../domain/time/api-time.ts'

export function presentBuild(
  build: Build,
  pull: Pick<PullRequest, 'number' | 'title'> | null,
  job_ids: readonly number[],
) {
  return {
    id: build.id,
    repository_id: build.repository_id,
    commit_id: build.commit_id,
    number: String(build.number),
    event_type: build.event_type,
    pull_request: build.event_type === 'pull_request',
    pull_request_title: pull?.title ?? null,
    pull_request_number: pull ? String(pull.number) : null,
    config: presentBuildConfig(build.config),
    state: build.state,
    started_at: time(build.started_at),
    finished_at: time(build.finished_at),
    duration: build.duration,
    job_ids,
  }
}
