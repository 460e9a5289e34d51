import type { Commit } from '../../domain/commit.ts'
import type { Job } from '../../domain/job/job.ts'
import { resultNumber, resultWord } from '../../domain/notification.ts'
import { slugOf } from '../../domain/repository.ts'
import { presentBuildConfig, presentJobConfig } from '../../domain/shown-config.ts'
import { shownTime } from '../../domain/shown-time.ts'
import type { FlowConfig } from '../context.ts'
import { buildUrl, repositoryUrl } from '../report/links.ts'
import type { BuildFacts } from './build-facts.ts'

/** What a webhook says of a build. */
export function webhookPayload(
  config: Pick<FlowConfig, 'publicUrl'>,
  facts: BuildFacts,
): Record<string, unknown> {
  const { build, repository, commit, request, pull, jobs } = facts
  const slug = slugOf(repository)
  const word = resultWord(build)
  const result = resultNumber(build.state)
  return {
    id: build.id,
    number: String(build.number),
    config: presentBuildConfig(build.config),
    type: build.event_type,
    state: build.state,
    status: result,
    result,
    status_message: word,
    result_message: word,
    started_at: time(build.started_at),
    finished_at: time(build.finished_at),
    duration: build.duration,
    build_url: buildUrl(config, slug, build.id),
    commit_id: commit.id,
    commit: commit.sha,
    base_commit: request.base_commit,
    head_commit: request.head_commit,
    ...ofCommit(commit),
    pull_request: build.event_type === 'pull_request',
    pull_request_number: pull?.number ?? null,
    pull_request_title: pull?.title ?? null,
    tag: commit.tag_name,
    repository: {
      id: repository.id,
      name: repository.name,
      owner_name: repository.owner_name,
      url: repositoryUrl(config, slug),
    },
    matrix: jobs.map((job) => ofJob(job, facts)),
  }
}

function ofJob(job: Job, { repository, commit, request }: BuildFacts) {
  const result = resultNumber(job.state)
  return {
    id: job.id,
    repository_id: repository.id,
    parent_id: job.build_id,
    number: job.number,
    state: job.state,
    config: presentJobConfig(job.config, request.from_fork),
    status: result,
    result,
    commit: commit.sha,
    ...ofCommit(commit),
    started_at: time(job.started_at),
    finished_at: time(job.finished_at),
    allow_failure: job.allow_failure,
  }
}

function ofCommit(commit: Commit) {
  return {
    branch: commit.branch,
    message: commit.message,
    compare_url: commit.compare_url,
    committed_at: time(commit.committed_at),
    author_name: commit.author_name,
    author_email: commit.author_email,
    committer_name: commit.committer_name,
    committer_email: commit.committer_email,
  }
}

const time = (at: Date | null) => (at === null ? null : shownTime(at))
