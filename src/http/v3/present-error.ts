import type { Viewer } from '../../access/viewer.ts'
import type { ServiceError } from '../../domain/errors.ts'
import { json } from '../answer.ts'
import type { HttpContext } from '../context.ts'
import { errorNames, type ErrorName, errorTypes } from './errors.ts'
import { render } from './render.ts'
import { registry } from './resources/index.ts'

type ErrorView = { ctx: HttpContext; viewer: Viewer; href(path: string): string }

/** An error as V3 shows it, with the resource if the viewer can read it. */
export async function presentError(error: ServiceError, errorView: ErrorView) {
  const name: ErrorName = errorNames[error.kind]
  const { resource_type, resource } = error.details
  const base = { '@type': 'error', error_type: name, error_message: error.message }
  if (error.kind === 'not_found') {
    return json({ ...base, resource_type: resource_type ?? null }, errorTypes[name].status)
  }
  if (error.kind === 'too_large') return json(base, 413)
  if (error.kind === 'unavailable') return json(base, 503)
  if (error.kind !== 'insufficient_access') return json(base, errorTypes[name].status)
  const refused = await refusal(error, errorView, resource)
  return json({ ...base, ...refused }, errorTypes[name].status)
}

/** Names the missing right to viewers who can write; for others, write access is what is missing. */
async function refusal(
  { details, message }: ServiceError,
  errorView: ErrorView,
  resource: unknown,
) {
  const { resource_type = '' } = details
  const known = registry[resource_type]
  if (!known || typeof resource !== 'object' || resource === null) {
    return { permission: details.permission, resource_type }
  }
  const mayWrite = known.rights(errorView.viewer, resource as never).write
  const permission = mayWrite ? details.permission : 'write'
  const view = { ...errorView, include: new Map() }
  const [shown] = await render(registry, view, known, [resource as never], {
    representation: 'minimal',
  })
  return {
    error_message: mayWrite ? message : `operation requires write access to ${resource_type}`,
    permission,
    resource_type,
    [resource_type]: shown,
  }
}

export function serverError() {
  const { status, default_message } = errorTypes.server_error
  return json(
    { '@type': 'error', error_type: 'server_error', error_message: default_message },
    status,
  )
}
