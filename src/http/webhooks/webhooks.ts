import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isHandled } from '../../domain/event.ts'
import type { Provider } from '../../domain/owner.ts'
import { bodyHashKey } from '../../flow/secrets/service-keys.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { isSignature, isSignedBy } from '../../secrets/signature.ts'
import { hashOfBody } from '../../secrets/webhook-body.ts'
import type { Database } from '../../store/tables.ts'
import type { Intake } from '../core/context.ts'
import { allowOrigins } from '../identity/cross-origin.ts'
import { deliveryOf, readPayload } from './payload.ts'

/** The code host sends no larger bodies. */
const mostBytes = 25 * 1024 * 1024
/** Seconds in which a body has to arrive: the code host does not wait longer for a response. */
const bodySeconds = 10

const guidForm = /^[\w.:-]{1,100}$/

interface WebhookOptions {
  db: Database
  intake: Intake
  sealer: Sealer
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The provider whose webhooks a path receives. */
    provider?: Provider
  }
}

/**
 * Receives webhooks: verify, store, respond. They are processed later (WH-02), and no data of a webhook
 * with a wrong signature is stored or logged (WH-04). Webhooks that their headers disqualify are refused
 * before the body is read.
 */
export const webhooks: FastifyPluginAsync<WebhookOptions> = async (
  scope,
  { db, intake, sealer },
) => {
  const hash = bodyHasher(db, sealer)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: mostBytes },
    (_request, body, done) => done(null, body),
  )
  scope.addHook('onRequest', async (request, reply) => {
    allowOrigins(reply)
    const refusal = refusalOf(request, intake)
    if (!refusal) return
    if (refusal.status === 401) logWrongSignature(request)
    return refuse(reply, refusal)
  })
  for (const path of ['/webhooks/codehost', '/api/github/webhooks']) {
    scope.post(path, routeOf('codehost'), (request, reply) => receive(request, reply))
  }
  scope.post('/webhooks/local', routeOf('local'), (request, reply) => receive(request, reply))

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    const provider = providerOf(request)
    const { event, guid, signature } = headersOf(request)
    const body = request.body as Buffer | undefined
    if (!body || body.length === 0) return refuse(reply, missingBody)
    if (!intake.secrets[provider].some((secret) => isSignedBy(secret, body, signature))) {
      logWrongSignature(request)
      return refuse(reply, wrongSignature)
    }
    const payload = readPayload(body, request.headers['content-type'])
    if (payload === undefined) {
      return refuse(reply, { status: 400, message: 'the body is not a JSON object' })
    }
    // All other events get a response and are dropped.
    if (isHandled(event, payload.action)) {
      await intake.accept(await deliveryOf({ provider, event, guid }, payload, { sealer, hash }))
    }
    return reply.code(204).send()
  }
}

/** Hashes bodies with the key of the installation, which is read once. */
function bodyHasher(db: Database, sealer: Sealer): (json: Buffer) => Promise<string> {
  let known: Promise<string> | undefined
  return async (json) => {
    known ??= bodyHashKey({ db, sealer })
    try {
      return hashOfBody(await known, json)
    } catch (error) {
      known = undefined
      throw error
    }
  }
}

const routeOf = (provider: Provider) => ({
  bodyLimit: mostBytes,
  config: { provider, bodySeconds },
})

function providerOf({ routeOptions }: FastifyRequest): Provider {
  return routeOptions.config.provider ?? 'codehost'
}

interface Refusal {
  status: number
  message: string
}

const missingBody: Refusal = { status: 422, message: 'the body is missing' }
const wrongSignature: Refusal = {
  status: 401,
  message: 'wrong signature: check the webhook secret on both sides',
}

/** Why a webhook is refused regardless of its body; undefined if the body must be read. */
function refusalOf(request: FastifyRequest, { secrets }: Intake): Refusal | undefined {
  const { headers } = request
  // Anyone can sign with an empty secret.
  if (!secrets[providerOf(request)].some((secret) => secret !== '')) {
    return { status: 404, message: 'no code host is set up to send webhooks here' }
  }
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (length === 0 || (Number.isNaN(length) && headers['transfer-encoding'] === undefined)) {
    return missingBody
  }
  if (length > mostBytes) {
    return { status: 413, message: `the body is larger than ${mostBytes} bytes` }
  }
  // A few compressed bytes can become many. Code hosts send uncompressed bodies.
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return {
      status: 415,
      message: 'compressed request bodies are not supported: send the body without encoding',
    }
  }
  const { event, guid, signature } = headersOf(request)
  if (!event || !guidForm.test(guid)) {
    const message = 'the headers X-GitHub-Event and X-GitHub-Delivery are required'
    return { status: 400, message }
  }
  return isSignature(signature) ? undefined : wrongSignature
}

function headersOf(request: FastifyRequest) {
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    event: header('x-github-event'),
    guid: header('x-github-delivery'),
    signature: header('x-hub-signature-256'),
  }
}

function logWrongSignature(request: FastifyRequest): void {
  const provider = providerOf(request)
  request.log.warn({ provider }, 'webhook with a wrong signature was rejected')
}

function refuse(reply: FastifyReply, { status, message }: Refusal) {
  return reply.code(status).type('application/json').send({ error: message })
}
