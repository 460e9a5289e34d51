import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../network-of.ts'
import { bodyBudget } from './body-budget.ts'

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** What all bodies on their way in hold together, at whatever door. */
const mostUnderWay = 50 * 1024 * 1024

/** Seconds in which a body has to arrive. */
const usualSeconds = 30

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Seconds in which a body has to arrive, if not as many as usual. */
    bodySeconds?: number
  }
}

/**
 * Accepts every body as bytes, whatever its content type: endpoints parse it themselves. So there is
 * no 415. What all of them hold together is bounded.
 */
export function acceptBodies(app: FastifyInstance): void {
  const budget = bodyBudget(mostUnderWay)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // These pass on at once what is to be done next: a promise for each call would cost as much as they do.
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
      // The framework leaves a body unread that it refuses by its length.
      body.destroy()
    })
    done(null, body)
  })
}

/** Whether the whole body came with the headers: it is small, and nobody waits for the rest. */
function hasArrived({ raw, headers }: FastifyRequest): boolean {
  return raw.readableLength === Number(headers['content-length'])
}

/** Whether a body comes that is read: those of reading calls are not. */
function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
