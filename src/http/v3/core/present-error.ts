import type { Viewer } from '../../../access/viewer.ts'
import type { ServiceError } from '../../../domain/errors.ts'
import { json } from '../../core/answer.ts'
import type { HttpContext } from '../../core/context.ts'
import { render } from '../render/render.ts'
import { registry } from '../resources/index.ts'
import { errorNameOf, errorTypes } from './errors.ts'
import type { AnyResource } from './resource.ts'

interface ErrorView {
  ctx: HttpContext
  viewer: Viewer
  href(path: string): string
  /** Whether the call would have changed something. */
  writes: boolean
}

/** An error as V3 shows it, with its record if the viewer can read it. */
export async function presentError(error: ServiceError, errorView: ErrorView) {
  const error_type = errorNameOf(error.kind)
  return json(
    {
      '@type': 'error',
      error_type,
      error_message: error.message,
      ...describe(error, errorView),
      ...(await showRecord(error, errorView)),
      ...error.details.members,
    },
    errorTypes[error_type].status,
  )
}

/** The members that an error of its type always has. */
function describe(error: ServiceError, errorView: ErrorView) {
  const { resource_type } = error.details
  if (error.kind === 'not_found') return { resource_type: resource_type ?? null }
  return error.kind === 'insufficient_access' ? describeRefusal(error, errorView) : {}
}

/** Rights that have nothing to do with write access. */
const withoutWriting = ['star', 'unstar']

/** Names the missing right: `write` if a write is refused to a viewer without any write access. */
function describeRefusal({ details }: ServiceError, { viewer, writes }: ErrorView) {
  const { resource_type = '', permission = 'write', resource } = details
  const known = resourceNamed(resource_type)
  if (!known || !isRecord(resource)) return { permission, resource_type: resource_type || null }
  const mayWrite = known.rights(viewer, resource as never).write
  if (mayWrite || !writes || withoutWriting.includes(permission)) {
    return { permission, resource_type }
  }
  const error_message = `operation requires write access to ${resource_type}`
  return { error_message, permission: 'write', resource_type }
}

async function showRecord({ details }: ServiceError, errorView: ErrorView) {
  const { resource_type = '', resource } = details
  const known = resourceNamed(resource_type)
  if (!known || !isRecord(resource)) return {}
  if (!known.rights(errorView.viewer, resource as never).read) return {}
  const view = { ...errorView, call: errorView, include: new Map() }
  const shape = { representation: 'minimal' } as const
  const [shown] = await render(registry, view, known, [resource as never], shape)
  return { [resource_type]: shown }
}

/** Finds a resource by its name in errors, which can differ from its type. */
function resourceNamed(name: string): AnyResource | undefined {
  return Object.values(registry).find(({ type, errorName = type }) => errorName === name)
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export function serverError() {
  const { status, default_message } = errorTypes.server_error
  return json(
    { '@type': 'error', error_type: 'server_error', error_message: default_message },
    status,
  )
}
