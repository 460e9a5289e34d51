import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import qs from 'qs'
import { isActedUpon } from '../domain/event.ts'
import type { Provider } from '../domain/owner.ts'
import { isSignedBy } from '../secrets/signature.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { NewDelivery } from '../store/deliveries.ts'
import type { Intake } from './context.ts'

/** The code host sends no larger bodies. */
const mostBytes = 25 * 1024 * 1024

const guidForm = /^[\w.:-]{1,100}$/

interface WebhookOptions {
  intake: Intake
  sealer: Sealer
}

/**
 * Receives webhooks: verify, store, respond. They are processed later (WH-02), and nothing of one
 * with a wrong signature is stored or logged (WH-04).
 */
export const webhooks: FastifyPluginAsync<WebhookOptions> = async (scope, { intake, sealer }) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: mostBytes },
    (_request, body, done) => done(null, body),
  )
  const receiveFrom = (provider: Provider) => (request: FastifyRequest, reply: FastifyReply) =>
    receive(provider, request, reply)
  for (const path of ['/webhooks/codehost', '/api/github/webhooks']) {
    scope.post(path, { bodyLimit: mostBytes }, receiveFrom('codehost'))
  }
  scope.post('/webhooks/local', { bodyLimit: mostBytes }, receiveFrom('local'))

  async function receive(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
    const body = request.body
    if (!Buffer.isBuffer(body) || body.length === 0) {
      return refuse(reply, 422, 'the body is missing')
    }
    const secret = intake.secrets[provider]
    // Anyone can sign with an empty secret.
    if (!secret) return refuse(reply, 404, 'no code host is set up to send webhooks here')
    const signature = header(request, 'x-hub-signature-256') ?? ''
    if (!isSignedBy(secret, body, signature)) {
      request.log.warn({ provider }, 'webhook with a wrong signature was rejected')
      return refuse(reply, 401, 'wrong signature: check the webhook secret on both sides')
    }
    const event = header(request, 'x-github-event')
    const guid = header(request, 'x-github-delivery')
    if (!event || !guid || !guidForm.test(guid)) {
      return refuse(reply, 400, 'the headers X-GitHub-Event and X-GitHub-Delivery are required')
    }
    const payload = readPayload(body, request.headers['content-type'])
    if (payload === undefined) return refuse(reply, 400, 'the body is not a JSON object')
    // All others get a response and are dropped.
    if (isActedUpon(event, payload.action)) {
      await intake.accept(
        deliveryOf({ provider, event, guid, body: payload.json }, payload, sealer),
      )
    }
    return reply.code(204).send()
  }
}

function refuse(reply: FastifyReply, status: number, message: string) {
  return reply.code(status).type('application/json').send({ error: message })
}

function header({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

interface Payload {
  json: Buffer
  action: string | null
  repository: { id: number | null; private: boolean }
  installation: number | null
}

/** What the intake needs from a body. Repository hooks send it as a form field (WH-01). */
function readPayload(body: Buffer, type = ''): Payload | undefined {
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  const json = isForm ? Buffer.from(formField(body)) : body
  try {
    const parsed: unknown = JSON.parse(json.toString('utf8'))
    if (!isObject(parsed)) return
    const { action, repository, installation } = parsed
    return {
      json,
      // The database rejects this character, and with it the whole batch.
      action: typeof action === 'string' ? action.replaceAll('\u0000', '') : null,
      repository: {
        id: idOf(repository),
        // When in doubt the body is sealed.
        private: !isObject(repository) || repository.private !== false,
      },
      installation: idOf(installation),
    }
  } catch {
    return undefined
  }
}

function idOf(record: unknown): number | null {
  return isObject(record) && Number.isSafeInteger(record.id) ? Number(record.id) : null
}

function formField(body: Buffer): string {
  const { payload } = qs.parse(body.toString('utf8'), { parameterLimit: 10, depth: 0 })
  return typeof payload === 'string' ? payload : ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The body of a private repository's webhook is sealed before it is stored (D32). */
function deliveryOf(
  delivery: Pick<NewDelivery, 'provider' | 'event' | 'guid' | 'body'>,
  { action, repository, installation }: Payload,
  sealer: Sealer,
): NewDelivery {
  const sealed = repository.private
  return {
    ...delivery,
    action,
    repository_codehost_id: repository.id,
    installation_codehost_id: installation,
    sealed,
    body: sealed
      ? sealer.seal({ type: 'delivery', id: delivery.guid }, delivery.body)
      : delivery.body,
  }
}
