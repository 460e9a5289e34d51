import type { FastifyInstance } from 'fastify'

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/**
 * Accepts every body as bytes, whatever its content type: endpoints parse it themselves. So there is
 * no 415, and a request with a body to an unknown path still gets 404.
 */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ headers }) => {
    const type = headers['content-type']
    // The framework rejects invalid media types before it looks for a parser.
    if (type !== undefined && !mediaType.test(type)) {
      headers['content-type'] = 'application/octet-stream'
    }
  })
}
