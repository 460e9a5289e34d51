import { anonymous } from '../../../src/access/viewer.ts'
import type { Build } from '../../../src/domain/build.ts'
import type { Commit, PullRequest } from '../../../src/domain/commit/commit.ts'
import type { Job, JobVersion } from '../../../src/domain/job/job.ts'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import type { Request, RequestMessage } from '../../../src/domain/request/request.ts'
import type { Stage } from '../../../src/domain/stage.ts'
import type { Frame } from '../../../src/http/pages/parts/layout.tsx'
import type { ListedToken } from '../../../src/store/tokens/listed-tokens.ts'

export const noon = new Date('2025-05-20T12:00:00Z')

/** So many seconds before noon. */
export function before(seconds: number): Date {
  return new Date(noon.getTime() - seconds * 1000)
}

export const frame: Frame = {
  prefix: '/ci',
  version: '1.2.3',
  styleHash: 'abc123',
  viewer: anonymous,
}

export function userRecord(changes: Partial<User> = {}): User {
  return {
    id: 1,
    provider: 'codehost',
    codehost_id: 11,
    login: 'octavia',
    name: null,
    email: null,
    avatar_url: null,
    locale: null,
    is_syncing: false,
    sync_started_at: null,
    synced_at: null,
    codehost_refused_at: null,
    first_logged_in_at: null,
    last_activity_at: null,
    blocked_at: null,
    build_emails: true,
    created_at: before(9000),
    updated_at: before(9000),
    ...changes,
  }
}

export function repositoryRecord(changes: Partial<Repository> = {}): Repository {
  return {
    id: 1,
    provider: 'codehost',
    codehost_id: 101,
    owner_id: 1,
    owner_type: 'User',
    owner_name: 'octavia',
    name: 'hello',
    description: null,
    homepage: null,
    private: false,
    fork: false,
    active: true,
    default_branch_name: 'main',
    default_branch_last_build_id: null,
    codehost_language: null,
    installation_id: null,
    managed_by_installation: false,
    next_build_number: 43,
    build_count: 42,
    last_build_id: null,
    last_build_started_at: null,
    archived_at: null,
    invalidated_at: null,
    deleted_at: null,
    created_at: before(9000),
    updated_at: before(9000),
    ...changes,
  }
}

export function commitRecord(changes: Partial<Commit> = {}): Commit {
  return {
    id: 1,
    repository_id: 1,
    sha: 'f00dbabe00000000000000000000000000000000',
    ref: 'refs/heads/main',
    branch: 'main',
    tag_name: null,
    message: 'Greet the world\n\nIt was high time.',
    compare_url: 'https://codehost.test/octavia/hello/compare/a...b',
    committed_at: before(4000),
    author_name: 'Ada',
    author_email: 'ada@example.com',
    committer_name: 'Ada',
    committer_email: 'ada@example.com',
    created_at: before(3900),
    ...changes,
  }
}

export function pullRequestRecord(changes: Partial<PullRequest> = {}): PullRequest {
  return {
    id: 1,
    repository_id: 1,
    number: 7,
    title: 'Say goodbye',
    state: 'open',
    draft: false,
    html_url: 'https://codehost.test/octavia/hello/pull/7',
    author_login: 'grace',
    author_codehost_id: 12,
    vouched: false,
    head_repository_codehost_id: 202,
    head_slug: 'grace/hello',
    head_ref: 'goodbye',
    head_sha: 'beef000000000000000000000000000000000000',
    base_ref: 'main',
    changed_at: null,
    created_at: before(4000),
    updated_at: before(4000),
    ...changes,
  }
}

export function buildRecord(changes: Partial<Build> = {}): Build {
  return {
    id: 9,
    repository_id: 1,
    request_id: 3,
    commit_id: 1,
    branch_id: 1,
    tag_id: null,
    pull_request_id: null,
    number: 42,
    event_type: 'push',
    state: 'passed',
    previous_state: null,
    duration: 333,
    config: {},
    notifications: {},
    config_error: null,
    fast_finish: false,
    waits_for_approval: false,
    without_approval: false,
    private: false,
    sender_id: 1,
    created_at: before(3720),
    updated_at: before(3600),
    started_at: before(3700),
    finished_at: before(3600),
    canceled_at: null,
    restarted_at: null,
    restarted_by_id: null,
    auto_canceled: false,
    ...changes,
  }
}

export function stageRecord(changes: Partial<Stage> = {}): Stage {
  return {
    id: 1,
    build_id: 9,
    number: 1,
    name: 'test',
    state: 'passed',
    started_at: before(3700),
    finished_at: before(3600),
    ...changes,
  }
}

export function jobRecord(changes: Partial<Job> = {}): Job {
  return {
    id: 21,
    repository_id: 1,
    build_id: 9,
    stage_id: null,
    commit_id: 1,
    owner_id: 1,
    owner_type: 'User',
    number: '42.1',
    name: null,
    stage_number: null,
    state: 'passed',
    queue: 'builds.linux',
    config: { language: 'ruby' },
    allow_failure: false,
    private: false,
    origin: { kind: 'matrix', line: null },
    checks: [],
    attempt: 1,
    resets: 0,
    retries: 0,
    retry_at: null,
    retry_reason: null,
    unlucky_since: null,
    canceled_by_stage: false,
    found_version: null,
    image: null,
    os: null,
    arch: null,
    unmet: null,
    unmet_since: null,
    found_machine: null,
    reason: null,
    created_at: before(3720),
    updated_at: before(3600),
    queued_at: before(3715),
    received_at: before(3710),
    started_at: before(3700),
    finished_at: before(3635),
    canceled_at: null,
    restarted_at: null,
    restarted_by_id: null,
    canceled_by_id: null,
    cancel_reason: null,
    ...changes,
  }
}

export function tokenRecord(changes: Partial<ListedToken> = {}): ListedToken {
  return {
    id: 5,
    name: 'laptop',
    scopes: ['public', 'private'],
    user_id: 1,
    repository_id: null,
    made_by_id: 1,
    created_at: before(9000),
    last_used_at: null,
    expires_at: null,
    ends_at: null,
    repository_ids: null,
    ...changes,
  }
}

/** A job that has not begun. */
export function waitingJob(changes: Partial<Job> = {}): Job {
  const nothing = { queued_at: null, received_at: null, started_at: null, finished_at: null }
  return jobRecord({ state: 'created', ...nothing, ...changes })
}

export function requestRecord(changes: Partial<Request> = {}): Request {
  return {
    id: 3,
    repository_id: 1,
    owner_id: 1,
    owner_type: 'User',
    sender_id: 1,
    sender_login: 'octavia',
    delivery_id: null,
    event_type: 'push',
    action: null,
    state: 'finished',
    result: 'accepted',
    reason: null,
    message: null,
    private: false,
    ref: 'refs/heads/main',
    before_sha: null,
    after_sha: null,
    forced: false,
    overtaken_by: null,
    commit_id: 1,
    pull_request_id: null,
    from_fork: false,
    base_commit: null,
    base_ref: null,
    head_commit: null,
    sources: [],
    variables: null,
    commit_message: null,
    mergeable_state: null,
    retry_at: null,
    config: null,
    checks: [],
    waits: 0,
    created_at: before(7200),
    updated_at: before(7200),
    started_at: before(7200),
    configured_at: null,
    finished_at: before(7190),
    ...changes,
  }
}

export function messageRecord(changes: Partial<RequestMessage> = {}): RequestMessage {
  return {
    id: 1,
    request_id: 3,
    level: 'warn',
    key: ['scirpt'],
    code: 'unknown_key',
    args: {},
    text: 'unknown key "scirpt", did you mean "script"?',
    src: '.service.yml',
    line: 4,
    column: 1,
    ...changes,
  }
}

/** An earlier attempt of the job. */
export function versionRecord(changes: Partial<JobVersion> = {}): JobVersion {
  return {
    job_id: 21,
    number: 1,
    state: 'failed',
    created_at: before(9000),
    queued_at: null,
    received_at: null,
    started_at: before(8000),
    finished_at: before(7200),
    restarted_at: null,
    cancel_reason: null,
    lost_reason: null,
    ...changes,
  }
}
