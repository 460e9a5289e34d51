import type { ErrorKind, ServiceError } from '../../domain/errors.ts'
import { type Answer, json, text } from '../answer.ts'
import { refusals } from './refusals.ts'

interface ErrorAnswer {
  status: number
  answer(error: ServiceError): Answer
}

const errorMessage = (error: ServiceError) => json({ error: error.message })

/** The V2.1 response for each kind of error. The bare texts of 401 and 403 are intended (D21). */
export const errorAnswers = {
  login_required: { status: 401, answer: () => text('no access token supplied') },
  wrong_credentials: { status: 403, answer: () => text('access denied') },
  insufficient_access: { status: 403, answer: () => text('insufficient access') },
  not_found: { status: 404, answer: refusals.notFound },
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
} satisfies Record<ErrorKind, ErrorAnswer>
