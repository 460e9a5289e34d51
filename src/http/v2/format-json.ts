import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { text } from '../core/answer.ts'
import type { HttpContext } from '../core/context.ts'
import type { Generation } from '../core/generation.ts'
import { send } from '../core/send.ts'
import { authenticate } from '../identity/authenticate.ts'
import { logViewer } from '../identity/log-token.ts'

const functionName = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/

/**
 * V2.1 formats its JSON as the query requests, regardless of the status: `pretty` with line breaks,
 * `callback` as a script that calls that function (JSONP).
 */
export function formatJson(
  app: FastifyInstance,
  {
    ctx,
    generationOf,
  }: { ctx: HttpContext; generationOf: (request: FastifyRequest['raw']) => Generation },
): void {
  const applies = (request: FastifyRequest) =>
    (isGiven(request, 'callback') || isGiven(request, 'pretty')) &&
    generationOf(request.raw) === 'v2'

  app.addHook('onRequest', (request, reply, done) => {
    if (!applies(request) || !isGiven(request, 'callback') || calledIn(request)) return done()
    return refuseName(request, reply)
  })

  async function refuseName(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { endpoint = {} } = request.routeOptions.config
    if (!logViewer(ctx, request, endpoint, 'v2')) await authenticate(ctx, request, 'v2')
    reply.code(400).header('cache-control', 'no-store')
    return send(reply, text('Bad Request'), 'text/plain')
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    done(null, isJson(reply) && applies(request) ? formatted(request, reply, payload) : payload)
  })
}

/** The formatted payload, which replaces the JSON. */
function formatted(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const called = calledIn(request)
  if (payload instanceof Readable) {
    // Streams are too long for pretty printing.
    if (!called) return payload
    labelScript(reply)
    return Readable.from(streamedCall(called, payload))
  }
  if (!Buffer.isBuffer(payload)) return payload
  const isLaidOut = payload.length <= mostPretty && isPretty(parameterText(request, 'pretty'))
  const written = isLaidOut ? prettyPrinted(payload) : payload.toString()
  if (!called) return Buffer.from(written)
  labelScript(reply)
  return Buffer.from(`${opening(called)}${escaped(written)}${closing}`)
}

/** The function to call, if it is a valid name: any other text could inject code into the script. */
function calledIn(request: FastifyRequest): string | undefined {
  const name = isGiven(request, 'callback') ? parameterText(request, 'callback') : ''
  return functionName.test(name) ? name : undefined
}

function parameterText({ query }: FastifyRequest, name: 'callback' | 'pretty'): string {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

function isGiven({ query }: FastifyRequest, name: 'callback' | 'pretty'): boolean {
  const value = (query as Record<string, unknown>)[name]
  return value !== undefined && value !== ''
}

function isJson(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('application/json')
}

/** Longer JSON is not read by people, and pretty printing it would delay other calls. */
const mostPretty = 1024 * 1024

/** `true` or a number greater than 0. */
function isPretty(value: string): boolean {
  return value === 'true' || Number.parseInt(value, 10) > 0
}

function prettyPrinted(payload: Buffer): string {
  return JSON.stringify(JSON.parse(payload.toString()), null, 2)
}

/** These two end a line in older scripts, but not in JSON. */
const lineEnds = /[\u2028\u2029]/g

function labelScript(reply: FastifyReply): void {
  reply.headers({
    'content-type': 'application/javascript;charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
}

const escaped = (written: string) =>
  written.replaceAll(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16)}`)

const opening = (name: string) => `/**/${name}(`
const closing = ')'

/** The JSONP call, sent in pieces while its argument is read. */
async function* streamedCall(name: string, argument: Readable): AsyncGenerator<string> {
  yield opening(name)
  for await (const piece of argument) yield escaped(String(piece))
  yield closing
}
