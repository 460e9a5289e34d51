import type { DeletedBuild } from './retention.ts'

export type ErrorKind =
  | 'login_required'
  | 'wrong_credentials'
  | 'insufficient_access'
  | 'admin_access_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'wrong_params'
  | 'client_error'
  | 'unprocessable_entity'
  | 'duplicate_resource'
  | 'not_acceptable'
  | 'not_implemented'
  | 'too_costly'
  | 'too_large'
  | 'too_many_requests'
  | 'timeout_error'
  | 'unavailable'
  | StateConflict

/** Errors of operations that the state of a record does not allow. */
type StateConflict =
  | 'already_syncing'
  | 'build_already_running'
  | 'build_not_cancelable'
  | 'job_already_running'
  | 'job_not_cancelable'
  | 'job_unfinished'
  | 'log_access_denied'
  | 'log_already_removed'
  | 'log_expired'
  | 'not_restartable'
  | 'private_repo_feature'
  | 'repo_ssh_key_missing'
  | 'repository_inactive'
  | 'request_limit_reached'
  | 'source_unknown'

/** Messages of state conflicts about which nothing more is known. */
export const conflictTexts = {
  already_syncing: 'a sync is already running',
  build_already_running: 'build is running, cannot be restarted',
  build_not_cancelable: 'build is not running, cannot be canceled',
  job_already_running: 'job is running, cannot be restarted',
  job_not_cancelable: 'job is not running, cannot be canceled',
  job_unfinished: 'log of an unfinished job cannot be removed',
  log_access_denied: 'the repository settings restrict access to this log',
  log_already_removed: 'log was already removed',
  log_expired: 'the repository settings hide logs of this age',
} as const satisfies Partial<Record<StateConflict, string>>

/** The error in the value of one field: `missing_field`, `not_a_number`, `invalid`. */
export interface FieldError {
  field: string
  code: string
  /** The problem and the remedy, if the code does not name them. */
  message?: string
}

/** The calls that a caller has left. */
export interface Quota {
  limit: number
  remaining: number
  /** Seconds until the full limit is available again. */
  reset: number
}

/** Details of an error in addition to its message. */
export interface ErrorDetails {
  /** Type of the resource that was looked up or written to. */
  resource_type?: string
  /** Why a record no longer exists. */
  note?: string
  /** The missing right. */
  permission?: string
  /** Seconds after which the call can be made again. */
  retry_after?: number
  quota?: Quota
  /** Errors in the values of fields, in the order of the fields. */
  fields?: readonly FieldError[]
  /** The record that the error is about, for API generations that show it. */
  resource?: unknown
  /** Additional members of the error, such as `max_requests`. */
  members?: Readonly<Record<string, string | number>>
}

/** An error response that ends a call. `kind` is stable; each API generation renders it with one table. */
export class ServiceError extends Error {
  readonly kind: ErrorKind
  readonly details: ErrorDetails

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message)
    this.kind = kind
    this.details = details
  }
}

/**
 * The service cannot start or continue because of its environment. The message is for its operator:
 * what happened, where, and what to do next.
 */
export class SetupError extends Error {}

export function loginRequired(): ServiceError {
  return new ServiceError('login_required', 'login required')
}

export function wrongCredentials(): ServiceError {
  return new ServiceError('wrong_credentials', 'access denied')
}

export function tokenInAddress(): ServiceError {
  const message =
    'access denied: no token is accepted in an address; send it in the header Authorization, and renew this one'
  return new ServiceError('wrong_credentials', message)
}

/** Missing and hidden resources get the same text. */
export function notFound(resource_type?: string): ServiceError {
  const message = `${resource_type ?? 'resource'} not found (or insufficient access)`
  return new ServiceError('not_found', message, resource_type ? { resource_type } : {})
}

/** A record that the caller could see until retention deleted its build. */
export function deletedByRetention(
  resource_type: 'build' | 'job',
  build: DeletedBuild,
  slug: string,
) {
  const day = build.deleted_at.toISOString().slice(0, 10)
  const note = `build ${build.number} of ${slug} was deleted by retention on ${day}`
  return new ServiceError('not_found', `${resource_type} not found: ${note}`, {
    resource_type,
    note,
  })
}

export function insufficientAccess(
  resource_type: string,
  permission: string,
  resource?: unknown,
): ServiceError {
  const message = `operation requires ${permission} access to ${resource_type}`
  return new ServiceError('insufficient_access', message, { resource_type, permission, resource })
}

/** The token lacks the scope of the operation. */
export function lacksScope(permission: string): ServiceError {
  const message = `operation requires a token with the scope ${permission}`
  return new ServiceError('insufficient_access', message, { permission })
}

/** The token is limited to some repositories, but the operation concerns no particular repository. */
export function isForSomeOnly(): ServiceError {
  const message =
    'operation requires a token that is not limited to some repositories: use another token of yours'
  return new ServiceError('insufficient_access', message)
}

export function methodNotAllowed(): ServiceError {
  return new ServiceError('method_not_allowed', 'method not allowed')
}

export function wrongParams(message = 'wrong parameters'): ServiceError {
  return new ServiceError('wrong_params', message)
}

/** Values of fields that cannot be stored. */
export function validationFailed(fields: readonly FieldError[]): ServiceError {
  const words = fields.map(
    ({ field, code, message }) => message ?? `${field} ${code.replaceAll('_', ' ')}`,
  )
  return new ServiceError('unprocessable_entity', `validation failed: ${words.join(', ')}`, {
    fields,
  })
}

/** An operation that the record's state, or a setting of its repository, does not allow. */
export function stateConflict(
  kind: keyof typeof conflictTexts,
  resource: { id: number },
): ServiceError {
  return new ServiceError(kind, conflictTexts[kind], { resource })
}

/** A finished record that cannot run again; the message says why. */
export function unrestartable(message: string): ServiceError {
  return new ServiceError('not_restartable', message)
}

/** A repository that is not enabled takes no requests. */
export function repositoryInactive(repository: { id: number }): ServiceError {
  const message = 'repository is inactive, no requests can be created'
  return new ServiceError('repository_inactive', message, {
    resource_type: 'repository',
    resource: repository,
  })
}

/** An archived repository takes no requests either; the message says where it is archived. */
export function repositoryArchived(repository: { id: number }, message: string): ServiceError {
  return new ServiceError('repository_inactive', message, {
    resource_type: 'repository',
    resource: repository,
  })
}

/** A repository has reached its limit of requests. */
export function requestLimitReached(
  repository: { id: number },
  {
    max_requests,
    per_seconds,
    retry_after,
    reset,
  }: {
    max_requests: number
    per_seconds: number
    /** Undefined where no request is ever accepted. */
    retry_after: number | undefined
    reset: number
  },
): ServiceError {
  const message =
    `too many requests: at most ${max_requests} per hour for a repository; the next one can be made ` +
    (retry_after === undefined ? '' : `in ${retry_after} s, or `) +
    'where the setting api_builds_rate_limit is higher'
  return new ServiceError('request_limit_reached', message, {
    resource_type: 'repository',
    resource: repository,
    members: { max_requests, per_seconds },
    ...(retry_after !== undefined && { retry_after }),
    quota: { limit: max_requests, remaining: 0, reset },
  })
}

export function notAcceptable(): ServiceError {
  return new ServiceError('not_acceptable', 'nothing acceptable')
}

/** A dependency of the service cannot be reached; the same call may succeed soon. */
export function unavailable(): ServiceError {
  const message = 'the service cannot reach its database: try again in a moment'
  return new ServiceError('unavailable', message)
}

/** The service is about to end; it may be back soon. */
export function stopping(): ServiceError {
  return new ServiceError('unavailable', 'the service is stopping: try again in a moment')
}

/** `most`: maximum number of bytes accepted. */
export function tooLarge(most: number): ServiceError {
  const message = `the body is too large: at most ${most / 1024} KiB are accepted`
  return new ServiceError('too_large', message)
}

/** For operations that would take too much time or memory; the message says so. */
export function tooCostly(message: string): ServiceError {
  return new ServiceError('too_costly', message)
}

/** `wait`: milliseconds until the next call is accepted; `quota`: where there is a limit of calls. */
export function tooManyRequests(wait: number, quota?: Quota): ServiceError {
  const seconds = Math.ceil(wait / 1000)
  const message = `too many requests: try again in ${seconds} s`
  return new ServiceError('too_many_requests', message, {
    retry_after: seconds,
    ...(quota && { quota }),
  })
}
