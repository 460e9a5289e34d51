import { isForAllReaders } from '../../access/visibility.ts'
import type { Commit } from '../../domain/commit/commit.ts'
import type { LogPart } from '../../domain/log/log.ts'
import { slugOf } from '../../domain/repository.ts'
import type { Stage } from '../../domain/stage.ts'
import { preciseTime, time } from '../../domain/time/api-time.ts'
import type { LiveBuild, LiveJob } from '../../store/live/live-records.ts'

/** A part of a log. `id` is the job's, as the official client reads it, and `_log` the text. */
export function logPayload(job_id: number, { number, content, final }: LogPart) {
  return { id: job_id, job_id, log_id: job_id, number, content, _log: content, final }
}

/** A job in the state that the event reports; its state may have changed since. */
export function jobPayload(
  { job, repository, commit, stage }: LiveJob,
  state: LiveJob['job']['state'],
) {
  return {
    id: job.id,
    repository_id: job.repository_id,
    repository_slug: slugOf(repository),
    repository_private: repository.private,
    build_id: job.build_id,
    commit_id: job.commit_id,
    log_id: job.id,
    number: job.number,
    state,
    started_at: time(job.started_at),
    finished_at: time(job.finished_at),
    queue: job.queue,
    allow_failure: job.allow_failure,
    updated_at: preciseTime(job.updated_at),
    commit: commit && commitPayload(commit),
    stage: stage && stagePayload(stage),
  }
}

export function buildPayload(live: LiveBuild, state: LiveBuild['build']['state']) {
  const { build, repository, commit, pull, sender, stages, job_ids } = live
  const last = live.last && isForAllReaders(repository, live.last) ? live.last : null
  const shown = [build.id, ...(last ? [last.id] : [])]
  const { default_branch_last_build_id: newest } = repository
  return {
    build: {
      id: build.id,
      repository_id: build.repository_id,
      commit_id: build.commit_id,
      number: String(build.number),
      pull_request: build.event_type === 'pull_request',
      pull_request_title: pull?.title ?? null,
      pull_request_number: pull && String(pull.number),
      state,
      started_at: time(build.started_at),
      finished_at: time(build.finished_at),
      duration: build.duration,
      job_ids,
      event_type: build.event_type,
      updated_at: preciseTime(build.updated_at),
      created_by: sender && {
        id: sender.id,
        name: sender.name,
        login: sender.login,
        avatar_url: sender.avatar_url,
      },
      commit: commit?.sha ?? null,
      ...(commit && commitFields(commit)),
    },
    commit: commit && commitPayload(commit),
    repository: {
      id: repository.id,
      slug: slugOf(repository),
      description: repository.description,
      private: repository.private,
      last_build_id: last?.id ?? null,
      last_build_number: last && String(last.number),
      last_build_state: last?.state ?? null,
      last_build_duration: last?.duration ?? null,
      last_build_language: null,
      last_build_started_at: last && time(last.started_at),
      last_build_finished_at: last && time(last.finished_at),
      codehost_language: repository.codehost_language,
      default_branch: {
        name: repository.default_branch_name,
        last_build_id: newest !== null && shown.includes(newest) ? newest : null,
      },
      active: repository.active,
      current_build_id: last?.id ?? null,
    },
    stages: stages.map(stagePayload),
  }
}

function commitPayload(commit: Commit) {
  return { id: commit.id, sha: commit.sha, ...commitFields(commit) }
}

function commitFields(commit: Commit) {
  return {
    branch: commit.branch,
    message: commit.message,
    committed_at: time(commit.committed_at),
    author_name: commit.author_name,
    author_email: commit.author_email,
    committer_name: commit.committer_name,
    committer_email: commit.committer_email,
    compare_url: commit.compare_url,
  }
}

function stagePayload({ id, build_id, number, name, state, started_at, finished_at }: Stage) {
  return {
    id,
    build_id,
    number,
    name,
    state,
    started_at: time(started_at),
    finished_at: time(finished_at),
  }
}
