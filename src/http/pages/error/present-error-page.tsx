import type { ServiceError } from '../../../domain/errors.ts'
import { html } from '../../answer.ts'
import type { HttpContext } from '../../context.ts'
import { errorAnswers } from '../../v2/errors.ts'
import { frameOf } from '../frame.ts'
import { renderPage } from '../render-page.ts'
import { ErrorPage } from './page.tsx'

/** The page for an error; without one, for an unexpected error. */
export function presentErrorPage({ site }: HttpContext, error?: ServiceError, requestId?: string) {
  const status = error ? errorAnswers[error.kind].status : 500
  const reference = requestId === undefined ? {} : { requestId }
  return html(
    renderPage(<ErrorPage frame={frameOf(site)} status={status} {...reference} />),
    status,
  )
}
