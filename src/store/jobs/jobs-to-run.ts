import { sql } from 'kysely'
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Build } from '../../domain/build.ts'
import type { Commit, PullRequest } from '../../domain/commit/commit.ts'
import type { EnvVar } from '../../domain/env-var.ts'
import type { Job } from '../../domain/job/job.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import type { AddressedRepository } from '../../domain/repository.ts'
import type { RequestMessage } from '../../domain/request/request.ts'
import { defaultSettings, type Settings } from '../../domain/settings.ts'
import type { SshKey } from '../../domain/ssh-key.ts'
import { installationCodehostId } from '../repositories/repositories.ts'
import { runPreparedFirst } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'
import { jobColumns } from './job-columns.ts'
import { stillEnds } from './leases.ts'

/** A job with all the data that its programs are made from. */
export interface JobToRun {
  job: Job
  build: Pick<
    Build,
    'id' | 'number' | 'event_type' | 'request_id' | 'pull_request_id' | 'without_approval'
  >
  commit: Pick<Commit, 'sha' | 'ref' | 'branch' | 'tag_name' | 'message' | 'compare_url'>
  /** Null if the repository is deleted. */
  repository: (AddressedRepository & OwnerRef) | null
  /** Null for a push. The head is the built one. */
  pull: Pick<PullRequest, 'number' | 'head_ref' | 'head_sha' | 'head_slug' | 'draft'> | null
  stage_name: string | null
  /** Why the previous attempt was lost, if it was. */
  lost_reason: string | null
  /** Login of the user who restarted the job, if someone did. */
  restarted_by: string | null
  /** Whether the job is of a fork's pull request; assumed if the request is gone. */
  from_fork: boolean
  /** Whether its former attempt, which was canceled, may still run. */
  former_ends: boolean
  /** Whether any text was read for the configuration. */
  has_config: boolean
  /** Settings of the repository; the variables and the key are sealed. */
  settings: Settings
  /** Variables of the repository, and of its owner for all repositories. */
  variables: Pick<EnvVar, 'id' | 'owner_id' | 'name' | 'public' | 'branch' | 'sealed_value'>[]
  ssh_key: Pick<SshKey, 'fingerprint' | 'sealed_value'> | null
  /** Messages about the build file, in order. */
  messages: Pick<RequestMessage, 'code' | 'args' | 'src' | 'line' | 'text'>[]
}

export async function findJobToRun(db: Database, id: number): Promise<JobToRun | undefined> {
  const row = await runPreparedFirst(db, jobToRun(db, id))
  if (!row) return
  const { build, commit, stage_name, lost_reason, restarted_by, ...more } = row
  const { from_fork, former_ends, has_config, messages, ...rest } = more
  const { repository, installation_codehost_id, living_repository_id, pull, ...others } = rest
  const { pull_id, given_settings, variables, ssh_key, ...job } = others
  return {
    job,
    build,
    commit,
    stage_name,
    lost_reason,
    restarted_by,
    from_fork,
    former_ends,
    has_config,
    messages,
    settings: { ...defaultSettings, ...given_settings },
    variables,
    ssh_key,
    repository: living_repository_id === null ? null : { ...repository, installation_codehost_id },
    pull: pull_id === null ? null : pull,
  }
}

/** The built head, which is no longer the pull request's if that has moved on; null for a merge group. */
const headOfRequest = sql<string | null>`case
  when starts_with(commits.ref, 'refs/pull/') then requests.head_commit end`

function jobToRun(db: Database, id: number) {
  return db
    .selectFrom('jobs')
    .innerJoin('builds', 'builds.id', 'jobs.build_id')
    .innerJoin('commits', 'commits.id', 'jobs.commit_id')
    .leftJoin('repositories', (join) =>
      join
        .onRef('repositories.id', '=', 'jobs.repository_id')
        .on('repositories.deleted_at', 'is', null)
        .on('repositories.invalidated_at', 'is', null),
    )
    .leftJoin('pull_requests as pulls', 'pulls.id', 'builds.pull_request_id')
    .leftJoin('requests', 'requests.id', 'builds.request_id')
    .leftJoin('stages', 'stages.id', 'jobs.stage_id')
    .leftJoin('users', 'users.id', 'jobs.restarted_by_id')
    .leftJoin('job_versions as before', (join) =>
      join
        .onRef('before.job_id', '=', 'jobs.id')
        .on('before.number', '=', sql<number>`jobs.attempt - 1`),
    )
    .select(jobColumns.map((name) => `jobs.${name}` as const))
    .select([
      'stages.name as stage_name',
      'before.lost_reason',
      'users.login as restarted_by',
      installationCodehostId,
    ])
    .select(sql<boolean>`coalesce(requests.from_fork, true)`.as('from_fork'))
    .select(stillEnds(sql<number>`jobs.id`).as('former_ends'))
    .select(
      sql<boolean>`exists (
        select from request_configs where request_configs.request_id = builds.request_id
      )`.as('has_config'),
    )
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('request_messages')
          .select(['code', 'args', 'src', 'line', 'text'])
          .whereRef('request_messages.request_id', '=', 'builds.request_id')
          .orderBy('id'),
      ).as('messages'),
    )
    .select((eb) => [
      eb
        .selectFrom('repository_settings')
        .select('values')
        .whereRef('repository_settings.repository_id', '=', 'jobs.repository_id')
        .as('given_settings'),
      jsonArrayFrom(
        eb
          .selectFrom('env_vars')
          .select(['env_vars.id', 'env_vars.owner_id', 'env_vars.name', 'env_vars.public'])
          .select(['env_vars.branch', 'env_vars.sealed_value'])
          .where(
            sql<boolean>`(env_vars.repository_id = jobs.repository_id
              or (env_vars.owner_type, env_vars.owner_id)
                = (repositories.owner_type, repositories.owner_id))`,
          )
          .orderBy('env_vars.created_at')
          .orderBy('env_vars.id'),
      ).as('variables'),
      jsonObjectFrom(
        eb
          .selectFrom('ssh_keys')
          .select(['ssh_keys.fingerprint', 'ssh_keys.sealed_value'])
          .whereRef('ssh_keys.repository_id', '=', 'jobs.repository_id'),
      ).as('ssh_key'),
    ])
    .select(({ ref, fn }) => [
      jsonBuildObject({
        id: ref('builds.id'),
        number: ref('builds.number'),
        event_type: ref('builds.event_type'),
        request_id: ref('builds.request_id'),
        pull_request_id: ref('builds.pull_request_id'),
        without_approval: ref('builds.without_approval'),
      }).as('build'),
      jsonBuildObject({
        sha: ref('commits.sha'),
        ref: ref('commits.ref'),
        branch: ref('commits.branch'),
        tag_name: ref('commits.tag_name'),
        message: ref('commits.message'),
        compare_url: ref('commits.compare_url'),
      }).as('commit'),
      jsonBuildObject({
        id: ref('repositories.id').$notNull(),
        provider: ref('repositories.provider').$notNull(),
        owner_id: ref('repositories.owner_id').$notNull(),
        owner_type: ref('repositories.owner_type').$notNull(),
        codehost_id: ref('repositories.codehost_id').$notNull(),
        owner_name: ref('repositories.owner_name').$notNull(),
        name: ref('repositories.name').$notNull(),
        private: ref('repositories.private').$notNull(),
        default_branch_name: ref('repositories.default_branch_name').$notNull(),
      }).as('repository'),
      jsonBuildObject({
        number: ref('pulls.number').$notNull(),
        head_ref: ref('pulls.head_ref').$notNull(),
        head_sha: fn.coalesce(headOfRequest, 'pulls.head_sha').$notNull(),
        head_slug: ref('pulls.head_slug'),
        draft: ref('pulls.draft').$notNull(),
      }).as('pull'),
      'repositories.id as living_repository_id',
      'pulls.id as pull_id',
    ])
    .where('jobs.id', '=', id)
}
