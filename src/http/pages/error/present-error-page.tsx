import type { FastifyRequest } from 'fastify'
import type { Viewer } from '../../../access/viewer.ts'
import type { ServiceError } from '../../../domain/errors.ts'
import { html } from '../../core/answer.ts'
import type { HttpContext } from '../../core/context.ts'
import { errorAnswers } from '../../v2/errors.ts'
import { frameOf } from '../frame.ts'
import { renderPage } from '../render-page.ts'
import { ErrorPage } from './page.tsx'

interface Failed {
  /** Missing for an unexpected error. */
  error?: ServiceError
  viewer: Viewer
  request: Pick<FastifyRequest, 'id' | 'url' | 'method'>
}

/** The page for an error. If a login may help, its login link leads back to the requested page. */
export function presentErrorPage({ site }: HttpContext, { error, viewer, request }: Failed) {
  const status = error ? errorAnswers[error.kind].status : 500
  const props = {
    frame: frameOf(site, viewer),
    status,
    isCostly: error?.kind === 'too_costly',
    note: error?.details.note,
    ...(error ? {} : { requestId: request.id }),
    ...pathOf(request),
  }
  return html(renderPage(<ErrorPage {...props} />), status)
}

/** Only paths of this form are repeated on a page. */
const plainPath = /^(?:\/[A-Za-z0-9][\w.-]*)+$/

function pathOf({ method, url }: Failed['request']): { path?: string } {
  const [path = ''] = url.split('?', 1)
  return method === 'GET' && plainPath.test(path) ? { path } : {}
}
