import type { FastifyInstance } from 'fastify'

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/**
 * Takes every body as its bytes, whatever it is labelled: what is in it is for the endpoint to say.
 * So there is no 415, and a body on an unknown path leaves it a 404.
 */
export function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ headers }) => {
    const type = headers['content-type']
    // The framework refuses labels that are not media types before it looks for a parser.
    if (type !== undefined && !mediaType.test(type)) {
      headers['content-type'] = 'application/octet-stream'
    }
  })
}
