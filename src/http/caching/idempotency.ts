import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError, wrongParams } from '../../domain/errors.ts'
import { beginCall, endCall, type KeptAnswer } from '../../flow/requests/repeatable-call.ts'
import type { HttpContext } from '../core/context.ts'
import type { Call } from '../core/endpoint.ts'

/** The header with which a client can repeat a call without repeating its effect. */
export const idempotencyKey = 'Idempotency-Key'

export const longestKey = 255

/** The running calls with a key, whose answers will be kept. */
const running = new WeakMap<FastifyRequest, { digest: string; given: string }>()

/**
 * The earlier answer to a call with a key; undefined for a call that has to be made now. Throws if the
 * key was used for a different call, or if the first call has no answer yet.
 */
export async function answerBefore({
  ctx,
  request,
  viewer,
  given,
}: Call): Promise<KeptAnswer | undefined> {
  const key = request.headers[idempotencyKey.toLowerCase()]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > longestKey) {
    throw wrongParams(`${idempotencyKey} must be a string of 1 to ${longestKey} characters`)
  }
  const [path = ''] = request.url.split('?', 1)
  // The token is part of the key, because a different one may have fewer rights.
  const caller = [viewer.user?.id, viewer.token_id]
  const digest = digestOf([...caller, request.method, path, key])
  const call = { digest, given: digestOf(given) }
  const first = await beginCall(ctx, digest, call.given)
  if (!first) {
    running.set(request, call)
    return undefined
  }
  if (first.given !== call.given) throw otherCall()
  if (!first.answer) throw unanswered()
  return first.answer
}

export function sendAgain(reply: FastifyReply, { status, type, body }: KeptAnswer): FastifyReply {
  return reply.code(status).type(type).send(Buffer.from(body))
}

/**
 * A route hook that keeps the answers to calls with a key. It runs for errors as well: a refused call
 * has no effect, and can be made again.
 */
export function keepingAnswers(ctx: HttpContext) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const call = running.get(request)
    if (!call) return payload
    const { statusCode: status } = reply
    const type = String(reply.getHeader('content-type') ?? 'application/json')
    const body = Buffer.isBuffer(payload) ? payload.toString() : ''
    const kept = status < 400 ? { answer: { status, type, body } } : {}
    await endCall(ctx, call.digest, { given: call.given, ...kept })
    return payload
  }
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

function otherCall(): ServiceError {
  const message = `this ${idempotencyKey} was used with another body: use a new key for another call`
  return new ServiceError('unprocessable_entity', message)
}

function unanswered(): ServiceError {
  const message =
    `a call with this ${idempotencyKey} has no answer yet: try again in a moment. If that does not help, ` +
    'the service stopped during the call: check whether the call took effect, and use a new key'
  return new ServiceError('duplicate_resource', message)
}
