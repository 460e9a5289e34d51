import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpContext, Streaming } from './context.ts'
import { withoutPrefix } from './normalize-url.ts'

/**
 * The connection settings of the streaming service, as both generations show them; `key` is null if there is
 * no service.
 */
export function streamingAddress({ streaming, site }: Pick<HttpContext, 'streaming' | 'site'>) {
  if (!streaming) return { key: null }
  const { protocol, hostname, port, pathname } = new URL(streaming.url ?? site.url)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  const path = pathname.replace(/\/+$/, '')
  return {
    key: streaming.app.key,
    host: hostname,
    port: port === '' ? { http: 80, https: 443 }[scheme] : Number(port),
    ...(path === '' ? {} : { path }),
    scheme,
    secure: scheme === 'https',
    // Clients then put `private-` before every name, and have it signed.
    private: true,
  }
}

/** Enough for a batch of ten events of 10 kB, with escapes. */
const mostBytes = 256 * 1024

interface PublisherOptions extends Pick<HttpContext, 'site'> {
  answer: NonNullable<Streaming['publisher']>
}

/** The signed interface of the embedded streaming service, for programs that publish events. */
export const publisher: FastifyPluginAsync<PublisherOptions> = async (scope, { answer, site }) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: mostBytes },
    (_request, body, done) => done(null, body),
  )
  async function respond(request: FastifyRequest, reply: FastifyReply) {
    const { method, body, originalUrl } = request
    const { status, body: text } = await answer({
      method,
      url: withoutPrefix(originalUrl, site.prefix),
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    })
    const type = status === 200 ? 'application/json' : 'text/plain;charset=utf-8'
    return reply.code(status).header('cache-control', 'no-store').type(type).send(text)
  }
  for (const path of ['events', 'batch_events', 'users/:user/terminate_connections']) {
    scope.post(`/apps/:app/${path}`, respond)
  }
  for (const path of ['channels', 'channels/*']) scope.get(`/apps/:app/${path}`, respond)
}
