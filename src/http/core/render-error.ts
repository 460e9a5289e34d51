import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymous } from '../../access/viewer.ts'
import {
  methodNotAllowed,
  notFound,
  ServiceError,
  tooLarge,
  unavailable,
  wrongParams,
} from '../../domain/errors.ts'
import { isUnreachable } from '../../store/sql/unreachable.ts'
import {
  authenticate,
  rememberedViewer,
  rememberViewer,
  viewerOf,
} from '../identity/authenticate.ts'
import { admit } from '../identity/authorize-call.ts'
import { allowOrigins } from '../identity/cross-origin.ts'
import { quotaHeaders } from '../identity/rate-limits.ts'
import { presentErrorPage } from '../pages/error/present-error-page.tsx'
import { versionOf } from '../v2/accept.ts'
import { errorAnswers } from '../v2/errors.ts'
import { hrefOf } from '../v3/core/href.ts'
import { indent, jsonTypeFor } from '../v3/core/json-type.ts'
import { presentError, serverError } from '../v3/core/present-error.ts'
import { scopesHeader } from '../v3/core/scopes-header.ts'
import { v3Endpoints } from '../v3/endpoints.ts'
import { type Answer, text } from './answer.ts'
import type { HttpContext } from './context.ts'
import { type Generation, prefersHtml } from './generation.ts'
import { methodsAt } from './path-router.ts'
import { Refusal } from './refusal.ts'
import { echoRequestId } from './request-id.ts'
import { send } from './send.ts'

/** The context for turning errors into responses. */
export interface ErrorContext {
  ctx: HttpContext
  generationOf(request: FastifyRequest['raw']): Generation
}

/** Turns everything that is thrown into a response of the requested generation, in one place. */
export function renderErrors(app: FastifyInstance, context: ErrorContext): void {
  app.setErrorHandler(async (error, request, reply) => {
    const shown = isOfBody(error) ? callerFirst(context, request, error) : error
    return sendAnyError(context, await shown, request, reply)
  })
}

/** Whether the framework rejected the body, so that the call has not begun. */
function isOfBody(error: unknown): boolean {
  return !(error instanceof ServiceError) && error instanceof Error && hasStatusBelow500(error)
}

const hasStatusBelow500 = ({ statusCode = 500 }: Partial<FastifyError>) => statusCode < 500

/** The error about the caller of an endpoint, which takes precedence over the given error about the body. */
async function callerFirst(
  context: ErrorContext,
  request: FastifyRequest,
  error: unknown,
): Promise<unknown> {
  const { endpoint } = request.routeOptions.config
  if (!endpoint) return error
  try {
    const shown = await tokenFirst(context, request, error)
    admit(context.ctx, endpoint.admission, { viewer: rememberedViewer(request), ip: request.ip })
    return shown
  } catch (refusal) {
    return refusal
  }
}

/** Refuses unknown paths before their bodies are received, so that no body is awaited. */
export function refuseUnknownPaths(app: FastifyInstance, context: ErrorContext): void {
  const { generationOf } = context
  const methodsInV3 = methodsAt(v3Endpoints)
  // Never called, because the hook responds first; setting it makes unknown paths run this scope's hooks.
  app.setNotFoundHandler(() => {
    throw notFound()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    return refuseUnknown(request, reply)
  })

  async function refuseUnknown(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const methods = generationOf(request.raw) === 'v3' ? methodsInV3(request.url) : []
    const refusal = methods.length > 0 ? methodNotAllowed() : notFound()
    const shown = await tokenFirst(context, request, refusal)
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    throw shown
  }
}

/** Errors of the router itself, such as a bad escape in a path, which no hook or handler sees. */
export function frameworkErrors(context: ErrorContext) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    allowOrigins(reply)
    echoRequestId(request, reply)
    const refusal = error.statusCode === 414 ? notFound() : wrongParams(error.message)
    void refuse(context, request, reply, refusal)
  }
}

async function refuse(
  context: ErrorContext,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: ServiceError,
): Promise<void> {
  const shown = await tokenFirst(context, request, refusal).catch((reason: unknown) => reason)
  await sendAnyError(context, shown, request, reply)
}

/** The error of a rejected request: an invalid token is reported before an unknown path (D18). */
async function tokenFirst<E>(
  { ctx, generationOf }: ErrorContext,
  request: FastifyRequest,
  refusal: E,
): Promise<E> {
  rememberViewer(request, await authenticate(ctx, request, generationOf(request.raw)))
  return refusal
}

async function sendAnyError(
  context: ErrorContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const generation = context.generationOf(request.raw)
  // A call that is rejected now may be allowed a moment later.
  reply.header('cache-control', 'no-store')
  try {
    const known = asServiceError(error, request)
    const { retry_after, quota } = known.details
    if (retry_after !== undefined) reply.header('retry-after', retry_after)
    if (quota) reply.headers(quotaHeaders(quota))
    return await sendError(context.ctx, generation, request, reply, known)
  } catch (bug) {
    request.log.error({ err: bug, request_id: request.id }, 'unexpected error')
    const answer = unexpected(context.ctx, generation, request)
    return send(reply.code(500), answer, jsonTypeFor(request), indent)
  }
}

/** Errors of the framework that the caller caused. Anything else is a bug and is rethrown. */
function asServiceError(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error
  if (isUnreachable(error)) {
    request.log.warn({ err: error, request_id: request.id }, 'the database cannot be reached')
    return unavailable()
  }
  const refusal = error as FastifyError
  if (refusal.statusCode === 413) return tooLarge(request.routeOptions.bodyLimit)
  if (hasStatusBelow500(refusal)) return new ServiceError('wrong_params', refusal.message)
  throw error
}

/** Seconds after which a call that found no database can be repeated. */
const retryAfter = 10

async function sendError(
  ctx: HttpContext,
  generation: Generation,
  request: FastifyRequest,
  reply: FastifyReply,
  error: ServiceError,
): Promise<FastifyReply> {
  if (error.kind === 'unavailable' && error.details.retry_after === undefined) {
    reply.header('retry-after', retryAfter)
  }
  // Browsers get a page; the pages of a login are calls of V2.1.
  const writes = !['GET', 'HEAD'].includes(request.method)
  const isForAll = (request.is404 && !writes) || error.kind === 'too_many_requests'
  const isShown = isForAll && prefersHtml(request.raw)
  if (generation === 'page' || (generation === 'v2' && isShown)) {
    const viewer = rememberedViewer(request)
    return send(reply, presentErrorPage(ctx, { error, viewer, request }), 'text/html')
  }
  if (generation === 'v3') {
    const viewer = await viewerOf(ctx, request, generation)
    const href = (path: string) => hrefOf(ctx.site, request, path)
    const shown = await presentError(error, { ctx, viewer, href, writes })
    return send(reply.headers(scopesHeader(viewer)), shown, jsonTypeFor(request), indent)
  }
  const kind = await v2Kind(ctx, request, error)
  const { status, answer } = errorAnswers[kind]
  const own = error instanceof Refusal && kind === error.kind ? error.answer : undefined
  return send(reply.code(status), own ?? withStatus(answer(error), status), 'application/json')
}

/** If V2.1 responds with 404 to an anonymous viewer, V2 requires a login. */
async function v2Kind(ctx: HttpContext, request: FastifyRequest, { kind }: ServiceError) {
  if (kind !== 'not_found' || request.is404 || versionOf(request.headers) !== '2') return kind
  return (await viewerOf(ctx, request, 'v2')).user ? kind : 'login_required'
}

function withStatus(answer: Answer, status: number): Answer {
  return answer.answer === 'json' ? Object.assign(answer, { status }) : answer
}

/** The response for a bug: it reports only that there was a bug, and where to find its cause. */
function unexpected(ctx: HttpContext, generation: Generation, request: FastifyRequest): Answer {
  if (generation === 'page') return presentErrorPage(ctx, { viewer: anonymous, request })
  if (generation === 'v3') return serverError()
  const { 'x-request-id': sent } = request.headers
  return text(
    sent === undefined ? 'internal server error' : `internal server error (${request.id})`,
  )
}
