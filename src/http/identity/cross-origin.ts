import type { FastifyReply } from 'fastify'

/** All resources allow cross-origin requests. */
export const crossOrigin = {
  origin: '*',
  credentials: true,
  strictPreflight: false,
  maxAge: 86_400,
  methods: ['HEAD', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
  allowedHeaders: [
    'Content-Type',
    'Authorization',
    'Accept',
    'If-None-Match',
    'If-Modified-Since',
    'X-User-Agent',
    'X-Client-Release',
    // Lets browsers choose V3.
    'Service-API-Version',
    'Idempotency-Key',
    'Trace',
  ],
  exposedHeaders: [
    'Content-Type',
    'Cache-Control',
    'Expires',
    'Etag',
    'Last-Modified',
    'X-Request-ID',
  ],
}

/** Cross-origin headers of a response, for requests that the hook does not handle. */
export const crossOriginHeaders = {
  'access-control-allow-origin': crossOrigin.origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': crossOrigin.exposedHeaders.join(', '),
}

/** For responses that are sent before any hook has run. */
export function allowOrigins(reply: FastifyReply): void {
  reply.headers(crossOriginHeaders)
}
