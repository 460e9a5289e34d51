import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymous, type Viewer } from '../access/viewer.ts'
import {
  methodNotAllowed,
  notFound,
  ServiceError,
  tooLarge,
  wrongParams,
} from '../domain/errors.ts'
import { type Answer, text } from './answer.ts'
import { authenticate } from './authenticate.ts'
import type { HttpContext } from './context.ts'
import { allowOrigins } from './cross-origin.ts'
import { RecordMissing } from './endpoint.ts'
import type { Generation } from './generation.ts'
import { presentErrorPage } from './pages/error/present-error-page.tsx'
import { pathRouter } from './path-router.ts'
import { echoRequestId } from './request-id.ts'
import { send } from './send.ts'
import { versionOf } from './v2/accept.ts'
import { errorAnswers } from './v2/errors.ts'
import { v3Endpoints } from './v3/endpoints.ts'
import { hrefOf } from './v3/href.ts'
import { jsonTypeFor } from './v3/json-type.ts'
import { presentError, serverError } from './v3/present-error.ts'

/** What errors are turned into answers with. */
interface Around {
  ctx: HttpContext
  generationOf(request: FastifyRequest['raw']): Generation
}

/** Turns whatever is thrown into an answer of the generation that was asked for, in one place. */
export function renderErrors(app: FastifyInstance, around: Around): void {
  const { generationOf } = around
  const v3Paths = pathRouter(v3Endpoints.flatMap(({ paths }) => paths))

  app.setErrorHandler((error, request, reply) => sendAnyError(around, error, request, reply))

  app.setNotFoundHandler(async (request) => {
    const isKnown = generationOf(request.raw) === 'v3' && v3Paths.knows(request.url)
    throw await tokenFirst(around, request, isKnown ? methodNotAllowed() : notFound())
  })
}

/** Errors of the router itself, a bad escape in a path say, which no hook and no handler sees. */
export function frameworkErrors(around: Around) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    allowOrigins(reply)
    echoRequestId(request, reply)
    const refusal = error.statusCode === 414 ? notFound() : wrongParams(error.message)
    void refuse(around, request, reply, refusal)
  }
}

async function refuse(
  around: Around,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: ServiceError,
): Promise<void> {
  const told = await tokenFirst(around, request, refusal).catch((reason: unknown) => reason)
  await sendAnyError(around, told, request, reply)
}

/** What a request is refused with: a wrong token is told before a wrong path (D18). */
async function tokenFirst(
  { ctx, generationOf }: Around,
  request: FastifyRequest,
  refusal: ServiceError,
): Promise<ServiceError> {
  await authenticate(ctx, request, generationOf(request.raw))
  return refusal
}

async function sendAnyError(
  around: Around,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const generation = around.generationOf(request.raw)
  // What is refused now may be allowed in a moment.
  reply.header('cache-control', 'no-store')
  try {
    return await sendError(around.ctx, generation, request, reply, asServiceError(error, request))
  } catch (bug) {
    request.log.error({ err: bug, request_id: request.id }, 'unexpected error')
    return send(reply.code(500), unexpected(around.ctx, generation, request), jsonTypeFor(request))
  }
}

/** Errors of the framework that are the caller's doing. Anything else is a bug, and thrown again. */
function asServiceError(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error
  const { statusCode = 500, message } = error as FastifyError
  if (statusCode === 413) return tooLarge(request.routeOptions.bodyLimit)
  if (statusCode < 500) return new ServiceError('wrong_params', message)
  throw error
}

async function sendError(
  ctx: HttpContext,
  generation: Generation,
  request: FastifyRequest,
  reply: FastifyReply,
  error: ServiceError,
): Promise<FastifyReply> {
  if (generation === 'page') return send(reply, presentErrorPage(ctx, error), 'text/html')
  if (generation === 'v3') {
    const viewer = await viewerOf(ctx, generation, request)
    const href = (path: string) => hrefOf(ctx.site, request, path)
    return send(reply, await presentError(error, { ctx, viewer, href }), jsonTypeFor(request))
  }
  const kind = await v2Kind(ctx, request, error)
  const { status, answer } = errorAnswers[kind]
  const own = error instanceof RecordMissing && kind === 'not_found' ? error.answer : undefined
  return send(reply.code(status), own ?? withStatus(answer(error), status), 'application/json')
}

/** V2 tells nobody in particular to log in where V2.1 says that there is nothing. */
async function v2Kind(ctx: HttpContext, request: FastifyRequest, { kind }: ServiceError) {
  if (kind !== 'not_found' || request.is404 || versionOf(request.headers) !== '2') return kind
  return (await viewerOf(ctx, 'v2', request)).user ? kind : 'login_required'
}

function withStatus(answer: Answer, status: number): Answer {
  return answer.answer === 'json' ? Object.assign(answer, { status }) : answer
}

/** Who asks, where that is known; a token that is no good is what the error is about, then. */
function viewerOf(
  ctx: HttpContext,
  generation: Generation,
  request: FastifyRequest,
): Promise<Viewer> {
  return authenticate(ctx, request, generation).catch(() => anonymous)
}

/** What is told of a bug: that there was one, and where its cause is found. */
function unexpected(ctx: HttpContext, generation: Generation, request: FastifyRequest): Answer {
  if (generation === 'page') return presentErrorPage(ctx, undefined, request.id)
  if (generation === 'v3') return serverError()
  const { 'x-request-id': sent } = request.headers
  return text(
    sent === undefined ? 'internal server error' : `internal server error (${request.id})`,
  )
}
