import type { FastifyPluginAsync } from 'fastify'
import { isReady } from '../domain/readiness.ts'
import type { HttpContext } from './context.ts'

/** For those who watch over the service: whether the process is alive, and whether it can work. */
export const health: FastifyPluginAsync<Pick<HttpContext, 'readiness'>> = async (
  scope,
  { readiness },
) => {
  for (const path of ['/health', '/uptime']) {
    scope.get(path, (_request, reply) =>
      reply.header('cache-control', 'no-store').type('text/plain;charset=utf-8').send('OK'),
    )
  }
  scope.get('/ready', async (_request, reply) => {
    const parts = await readiness()
    const ready = isReady(parts)
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, parts })
  })
}
