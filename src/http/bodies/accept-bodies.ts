import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../core/network-of.ts'
import { bodyBudget } from './body-budget.ts'

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** Most bytes of all incoming bodies together, at all endpoints. */
const mostUnderWay = 50 * 1024 * 1024

/** Seconds in which a body has to arrive. */
const usualSeconds = 30

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Seconds in which a body has to arrive, if different from the default. */
    bodySeconds?: number
  }
}

/**
 * Accepts every body as bytes, regardless of its content type: endpoints parse it themselves, so there
 * is no 415. The total size of all incoming bodies is limited.
 */
export function acceptBodies(app: FastifyInstance): void {
  const budget = bodyBudget(mostUnderWay)
  app.removeAllContentTypeParsers()
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // These hooks use callbacks: a promise for each call would cost as much as the hooks themselves.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const type = headers['content-type']
    // The framework rejects invalid media types before it looks for a parser.
    if (type !== undefined && !mediaType.test(type)) {
      headers['content-type'] = 'application/octet-stream'
    }
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request) || hasArrived(request)) return done(null, payload)
    const seconds = request.routeOptions.config.bodySeconds ?? usualSeconds
    const body = budget.count(payload, { network: networkOf(request.ip), seconds })
    reply.raw.once('close', () => {
      budget.release(body)
      // The framework does not read a body that it refuses by its length.
      body.destroy()
    })
    done(null, body)
  })
}

/** Whether the whole body came with the headers: it is small, and no further data is awaited. */
function hasArrived({ raw, headers }: FastifyRequest): boolean {
  return raw.readableLength === Number(headers['content-length'])
}

/** Whether the call has a body that is read; bodies of HEAD are not. */
function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
