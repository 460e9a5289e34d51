import type { ErrorKind, ServiceError } from '../../domain/errors.ts'
import { type Answer, json, text } from '../core/answer.ts'
import { notRestartable, refusals } from './refusals.ts'

interface ErrorAnswer {
  status: number
  answer(error: ServiceError): Answer
}

const errorMessage = (error: ServiceError) => json({ error: error.message })
const forbidden = ({ message }: ServiceError) => refusals.forbidden(message)

type Subject = 'build' | 'job'

const cannotCancel = (type: Subject) => (error: ServiceError) =>
  refusals.unprocessable(`The ${type}(${idOf(error)}) can't be canceled`, 'cant_cancel')
const cannotRestart = (type: Subject) => () => refusals.restart([notRestartable(type)])
const notRestartableBecause = ({ message }: ServiceError) =>
  refusals.restart([`This can not be restarted: ${message}.`])
const jobUnfinished = (error: ServiceError) =>
  refusals.conflict(`Job ${idOf(error)} is not finished`)
const logRemoved = (error: ServiceError) =>
  refusals.conflict(`Log for job ${idOf(error)} has already been removed`)

/** The id of the record that an error is about. */
function idOf({ details }: ServiceError): number {
  return (details.resource as { id: number }).id
}

/** The V2.1 response for each kind of error. The bare texts of 401 and 403 are intended (D21). */
export const errorAnswers = {
  login_required: { status: 401, answer: () => text('no access token supplied') },
  wrong_credentials: { status: 403, answer: ({ message }: ServiceError) => text(message) },
  insufficient_access: { status: 403, answer: () => text('insufficient access') },
  not_found: {
    status: 404,
    answer: ({ details: { note } }: ServiceError) =>
      note === undefined ? refusals.notFound() : json({ file: 'not found', message: note }, 404),
  },
  // V2.1 has no 405: an unknown method is an unknown path.
  method_not_allowed: { status: 404, answer: refusals.notFound },
  wrong_params: { status: 400, answer: errorMessage },
  unprocessable_entity: {
    status: 422,
    answer: (error: ServiceError) =>
      error.details.fields ? refusals.invalid(error.details.fields) : errorMessage(error),
  },
  duplicate_resource: { status: 409, answer: errorMessage },
  not_acceptable: { status: 406, answer: () => text('') },
  too_costly: { status: 422, answer: errorMessage },
  too_large: { status: 413, answer: errorMessage },
  too_many_requests: { status: 429, answer: () => text('Retry later') },
  unavailable: { status: 503, answer: errorMessage },
  client_error: { status: 400, answer: errorMessage },
  admin_access_required: { status: 403, answer: () => text('insufficient access') },
  not_implemented: { status: 501, answer: errorMessage },
  timeout_error: { status: 504, answer: errorMessage },
  already_syncing: {
    status: 409,
    answer: () => refusals.conflictText('Sync already in progress. Try again later.'),
  },
  build_already_running: { status: 400, answer: cannotRestart('build') },
  build_not_cancelable: { status: 422, answer: cannotCancel('build') },
  job_already_running: { status: 400, answer: cannotRestart('job') },
  job_not_cancelable: { status: 422, answer: cannotCancel('job') },
  job_unfinished: { status: 409, answer: jobUnfinished },
  log_access_denied: { status: 403, answer: forbidden },
  log_already_removed: { status: 409, answer: logRemoved },
  log_expired: { status: 403, answer: forbidden },
  not_restartable: { status: 400, answer: notRestartableBecause },
  private_repo_feature: { status: 403, answer: errorMessage },
  repo_ssh_key_missing: { status: 409, answer: errorMessage },
  repository_inactive: { status: 406, answer: errorMessage },
  request_limit_reached: { status: 429, answer: errorMessage },
  source_unknown: { status: 400, answer: errorMessage },
} satisfies Record<ErrorKind, ErrorAnswer>
