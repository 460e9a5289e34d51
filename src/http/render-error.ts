import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymous, type Viewer } from '../access/viewer.ts'
import { methodNotAllowed, notFound, ServiceError, wrongParams } from '../domain/errors.ts'
import type { Answer } from './answer.ts'
import { text } from './answer.ts'
import { authenticate } from './authenticate.ts'
import type { HttpContext } from './context.ts'
import type { Generation } from './generation.ts'
import { errorPage } from './pages/error.tsx'
import { pathRouter } from './path-router.ts'
import { send } from './send.ts'
import { versionOf } from './v2/accept.ts'
import { errorAnswers } from './v2/errors.ts'
import { v3Endpoints } from './v3/endpoints.ts'
import { hrefOf } from './v3/href.ts'
import { presentError, serverError } from './v3/present-error.ts'

type GenerationOf = (request: FastifyRequest['raw']) => Generation

/** Turns whatever is thrown into an answer of the generation that was asked for, in one place. */
export function renderErrors(
  app: FastifyInstance,
  ctx: HttpContext,
  generationOf: GenerationOf,
): void {
  const v3Paths = pathRouter(v3Endpoints.flatMap(({ paths }) => paths))

  app.setErrorHandler(async (error: FastifyError | ServiceError, request, reply) => {
    const known = asServiceError(error)
    const generation = generationOf(request.raw)
    if (!known) {
      request.log.error({ err: error, request_id: request.id }, 'unexpected error')
      return send(reply.code(500), unexpected(ctx, generation), 'application/json')
    }
    return sendError(ctx, generation, request, reply, known)
  })

  app.setNotFoundHandler(async (request, reply) => {
    const generation = generationOf(request.raw)
    const strict = generation === 'v3'
    // A wrong token is told before a wrong path (D18).
    if (generation !== 'page') await authenticate(ctx, request, { strict })
    const error = strict && v3Paths.knows(request.url) ? methodNotAllowed() : notFound()
    return sendError(ctx, generation, request, reply, error)
  })
}

/** Errors of the router itself, a bad escape in a path say, which no other handler sees. */
export function frameworkErrors(ctx: HttpContext, generationOf: GenerationOf) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const known = error.statusCode === 414 ? notFound() : wrongParams(error.message)
    void sendError(ctx, generationOf(request.raw), request, reply, known)
  }
}

/** Errors of the framework that are the caller's doing; anything else that is thrown is a bug. */
function asServiceError(error: FastifyError | ServiceError): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  const { statusCode = 500, message } = error
  if (statusCode === 413) return new ServiceError('too_large', message)
  return statusCode < 500 ? new ServiceError('wrong_params', message) : undefined
}

async function sendError(
  ctx: HttpContext,
  generation: Generation,
  request: FastifyRequest,
  reply: FastifyReply,
  error: ServiceError,
): Promise<FastifyReply> {
  if (generation === 'page') return send(reply, errorPage(ctx, error), 'text/html')
  if (generation === 'v3') {
    const viewer = await viewerOf(ctx, request)
    const href = (path: string) => hrefOf(ctx.site, request, path)
    return send(reply, await presentError(error, { ctx, viewer, href }), 'application/json')
  }
  const { status, answer } = errorAnswers[await v2Kind(ctx, request, error)]
  return send(reply.code(status), withStatus(answer(error), status), 'application/json')
}

/** V2 tells nobody in particular to log in where V2.1 says that there is nothing (api-v2.1 8.3). */
async function v2Kind(ctx: HttpContext, request: FastifyRequest, { kind }: ServiceError) {
  const { accept, 'service-api-version': version } = request.headers
  if (kind !== 'not_found' || request.is404) return kind
  if (versionOf(accept, typeof version === 'string' ? version : undefined) !== '2') return kind
  return (await viewerOf(ctx, request)).user ? kind : 'login_required'
}

function withStatus(answer: Answer, status: number): Answer {
  return answer.answer === 'json' ? Object.assign(answer, { status }) : answer
}

/** Who asks, where that is known; a token that is no good is what the error is about, then. */
function viewerOf(ctx: HttpContext, request: FastifyRequest): Promise<Viewer> {
  return authenticate(ctx, request, { strict: false }).catch(() => anonymous)
}

function unexpected(ctx: HttpContext, generation: Generation): Answer {
  if (generation === 'page') return errorPage(ctx, undefined)
  return generation === 'v3' ? serverError() : text('internal server error')
}
