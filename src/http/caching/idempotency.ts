import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError, wrongParams } from '../../domain/errors.ts'
import {
  beginCall,
  endCall,
  type KeptAnswer,
  type RepeatableCall,
} from '../../flow/requests/repeatable-call.ts'
import { formCalls, formSeconds } from '../../store/requests/idempotent-calls.ts'
import type { HttpContext } from '../core/context.ts'
import type { Call } from '../core/endpoint.ts'

/** The header with which a client can repeat a call without repeating its effect. */
export const idempotencyKey = 'Idempotency-Key'

export const longestKey = 255

/** Form field of the key that each rendering of a form has, so that two clicks have one effect. */
export const formKeyName = 'form_key'

/** Milliseconds between two looks for the answer to the first click, and how often there is one. */
const pause = 100
const mostLooks = 100

/** The running calls with a key, whose answers will be kept. */
const running = new WeakMap<FastifyRequest, RepeatableCall & { digest: string; failed?: true }>()

/** Marks a call as one without effect, whatever the status of its response is: it can be made again. */
export function markFailed(request: FastifyRequest): void {
  const call = running.get(request)
  if (call) call.failed = true
}

/**
 * The earlier answer to a call with a key; undefined for a call that must be made now. Throws if the
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
  const call = { digest, given: digestOf(given), at: ctx.now().getTime() }
  const first = await beginCall(ctx, digest, call)
  if (!first) {
    running.set(request, call)
    return undefined
  }
  if (first.given !== call.given) throw otherCall()
  if (!first.answer) throw unanswered()
  return first.answer
}

/**
 * The answer to a form that was sent a moment ago in the same rendering. It waits for the answer to the first
 * click, which the browser no longer shows; undefined for a form that must be worked on now. That is also one
 * that someone sends later, after "Back": what it set may have been changed since. Only answers to users are kept:
 * strangers could store any number of them.
 */
export async function answerToForm({ ctx, request, viewer, given }: Call) {
  if (typeof given[formKeyName] !== 'string' || !viewer.user) return undefined
  const { id } = viewer.user
  // A form that was changed and sent again is a different call, so its fields are part of the key.
  const digest = formCalls + digestOf([id, viewer.token_id, request.method, request.url, given])
  const call = { digest, given: '', at: ctx.now().getTime() }
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const first = await beginCall(ctx, digest, call, formSeconds)
    if (!first) {
      running.set(request, call)
      return undefined
    }
    if (first.answer) return first.answer
    await wait(pause)
  }
  throw unanswered()
}

export function sendAgain(reply: FastifyReply, answer: KeptAnswer): FastifyReply {
  const { status, type, body, headers = {} } = answer
  reply.code(status).headers(headers)
  return body === '' ? reply.send() : reply.type(type).send(Buffer.from(body))
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
    const body = Buffer.isBuffer(payload) ? payload.toString() : textOf(payload)
    const headers = keptHeaders(reply)
    const kept = status < 400 && !call.failed ? { answer: { status, type, body, headers } } : {}
    await endCall(ctx, call.digest, { given: call.given, at: call.at, ...kept })
    return payload
  }
}

const textOf = (payload: unknown) => (typeof payload === 'string' ? payload : '')

function keptHeaders(reply: FastifyReply) {
  const entries = ['location', 'set-cookie', 'cache-control'].flatMap((name) => {
    const value = reply.getHeader(name)
    return typeof value === 'string' || Array.isArray(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(entries)
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
