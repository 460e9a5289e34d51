import { conflictTexts, type ErrorKind } from '../../../domain/errors.ts'

export interface ErrorType {
  status: number
  default_message: string
  additional_attributes: readonly string[]
}

function entry(
  status: number,
  default_message: string,
  additional_attributes: readonly string[] = [],
): ErrorType {
  return { status, default_message, additional_attributes }
}

/** Every error of V3, as the home document shows them. */
export const errorTypes = {
  admin_access_required: entry(403, 'only repository admins may do this'),
  already_syncing: entry(409, conflictTexts.already_syncing),
  build_already_running: entry(409, conflictTexts.build_already_running),
  build_not_cancelable: entry(409, conflictTexts.build_not_cancelable),
  client_error: entry(400, 'bad request'),
  duplicate_resource: entry(409, 'resource already exists'),
  insufficient_access: entry(403, 'operation requires write access to <resource_type>', [
    'permission',
    'resource_type',
  ]),
  job_already_running: entry(409, conflictTexts.job_already_running),
  job_not_cancelable: entry(409, conflictTexts.job_not_cancelable),
  job_unfinished: entry(409, conflictTexts.job_unfinished),
  log_access_denied: entry(403, conflictTexts.log_access_denied),
  log_already_removed: entry(409, conflictTexts.log_already_removed),
  log_expired: entry(403, conflictTexts.log_expired),
  login_required: entry(403, 'login required'),
  method_not_allowed: entry(405, 'method not allowed'),
  not_found: entry(404, 'resource not found (or insufficient access)', ['resource_type']),
  not_implemented: entry(501, 'not implemented yet'),
  // Not in the reference, like `service_unavailable`: their statuses have no other name there.
  payload_too_large: entry(413, 'the body is too large'),
  private_repo_feature: entry(403, 'available for private repositories only'),
  repo_ssh_key_missing: entry(409, 'the repository key is not generated yet'),
  repository_inactive: entry(406, 'repository is inactive, no requests can be created'),
  request_limit_reached: entry(429, 'too many requests for this resource'),
  server_error: entry(500, 'internal server error'),
  service_unavailable: entry(503, 'the service is unavailable, try again in a moment'),
  source_unknown: entry(400, 'source unknown'),
  timeout_error: entry(504, 'upstream timed out'),
  too_many_requests: entry(429, 'too many requests'),
  unprocessable_entity: entry(422, 'request is well-formed but cannot be processed'),
  wrong_credentials: entry(403, 'access denied'),
  wrong_params: entry(400, 'wrong parameters'),
}

export type ErrorName = keyof typeof errorTypes

/** The names of errors whose kind has a different name in V3. */
const otherNames = {
  not_acceptable: 'client_error',
  not_restartable: 'unprocessable_entity',
  too_costly: 'unprocessable_entity',
  too_large: 'payload_too_large',
  unavailable: 'service_unavailable',
} as const satisfies Partial<Record<ErrorKind, ErrorName>>

type OtherNames = typeof otherNames

/** The V3 error of a kind that the service throws. */
export function errorNameOf(kind: ErrorKind): ErrorName {
  const names: Partial<Record<ErrorKind, ErrorName>> = otherNames
  return names[kind] ?? (kind as Exclude<ErrorKind, keyof OtherNames>)
}
