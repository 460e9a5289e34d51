import { archivedText } from '../../domain/archived.ts'
import type { Actor } from '../../domain/audit.ts'
import {
  type Quota,
  repositoryArchived,
  repositoryInactive,
  requestLimitReached,
  ServiceError,
} from '../../domain/errors.ts'
import type { Repository } from '../../domain/repository.ts'
import type { ApiConfig, Request, RequestVariables } from '../../domain/request/request.ts'
import { settingsOf } from '../../store/repositories/settings.ts'
import { insertRequest, recentApiRequests } from '../../store/requests/requests.ts'
import { holdLock } from '../../store/sql/locks.ts'
import { json } from '../../store/tables.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

/** The build that a user requests: of the tip of a ref, or of a commit on it. */
export interface WantedBuild {
  /** `refs/heads/main`, `refs/tags/v1`. */
  ref: string
  sha: string | undefined
  /** Replaces the commit's message. */
  message: string | undefined
  configs: readonly ApiConfig[]
  variables: RequestVariables | undefined
}

export interface CreatedRequest {
  request: Request
  /** How many requests were left before this one. */
  remaining: number
  /** How many requests are left now. */
  quota: Quota
}

/** The period in which requests are counted: an hour. */
const seconds = 60 * 60

/** Why a repository accepts no request now; undefined if it does. */
export async function refusalOfRequest(
  ctx: Pick<Context, 'db' | 'config'>,
  repository: Repository,
): Promise<ServiceError | undefined> {
  const remaining = await remainingRequests(ctx, repository)
  return remaining instanceof ServiceError ? remaining : undefined
}

/** How many requests are left in this hour, of how many; an error if none are left. */
async function remainingRequests(
  { db, config }: Pick<Context, 'db' | 'config'>,
  repository: Repository,
): Promise<Omit<Quota, 'reset'> | ServiceError> {
  const { id, active, archived_at } = repository
  if (archived_at !== null) return repositoryArchived(repository, archivedText(repository, config))
  if (!active) return repositoryInactive(repository)
  const { api_builds_rate_limit } = await settingsOf(db, id)
  const most = api_builds_rate_limit ?? config.requestsPerHour
  const { count, newest, blocking } = await recentApiRequests(db, id, { seconds, most })
  if (count < most) return { limit: most, remaining: most - count }
  return requestLimitReached(repository, {
    max_requests: most,
    per_seconds: seconds,
    retry_after: blocking === null ? undefined : Math.ceil(seconds - blocking),
    reset: Math.ceil(seconds - (newest ?? 0)),
  })
}

/**
 * Stores a request for a build, to be decided on like requests of events. Throws if the repository is
 * archived, inactive, or has reached its hourly limit of requests (RQ-21).
 */
export function createRequest(
  ctx: Context,
  actor: Actor,
  repository: Repository,
  { ref, sha, message, configs, variables }: WantedBuild,
): Promise<CreatedRequest> {
  const { id, owner_id, owner_type, active } = repository
  return transact(ctx, async (tx) => {
    if (active) await holdLock(tx.db, `requests:${id}`)
    const left = await remainingRequests(tx, repository)
    if (left instanceof ServiceError) throw left
    const { limit, remaining } = left
    const request = await insertRequest(tx.db, {
      repository_id: id,
      owner_id,
      owner_type,
      private: repository.private,
      sender_id: actor.user.id,
      sender_login: actor.user.login,
      event_type: 'api',
      state: 'pending',
      ref,
      after_sha: sha ?? null,
      sources: json(configs),
      ...(variables ? { variables: json(variables) } : {}),
      commit_message: message ?? null,
    })
    await audit(tx, actor, {
      action: 'create_request',
      subject_type: 'repository',
      subject_id: id,
      changed: {
        request_id: request.id,
        ref,
        sha: sha ?? null,
        configs: configs.length,
        variables: Object.keys(variables ?? {}),
      },
    })
    tx.follow('request.accept', { request_id: request.id })
    return { request, remaining, quota: { limit, remaining: remaining - 1, reset: seconds } }
  })
}
