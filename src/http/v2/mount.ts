import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { shownScopes } from '../../access/scopes.ts'
import { notAcceptable } from '../../domain/errors.ts'
import { isAnswer } from '../core/answer.ts'
import { type ApiOptions, mount } from '../core/mount.ts'
import { send } from '../core/send.ts'
import { tokenEnd } from '../identity/authenticate.ts'
import { acceptsJson } from './accept.ts'
import { imagePaths } from './endpoints/status-image.ts'
import { resourceType } from './resource-type.ts'

/** V2.1, the legacy generation; V2 differs only in how it hides records from anonymous viewers. */
export const v2: FastifyPluginAsync<ApiOptions> = async (scope, { ctx, endpoints }) => {
  mount(scope, endpoints, {
    ctx,
    generation: 'v2',
    headersFor: (viewer) => ({
      'x-oauth-scopes': shownScopes(viewer),
      'x-accepted-oauth-scopes': 'private',
      ...tokenEnd(viewer),
    }),
    // A missing record is reported before an unacceptable type.
    ready({ request }, { negotiates }) {
      if (negotiates && !acceptsJson(request.headers.accept)) throw notAcceptable()
    },
    send(reply, result) {
      reply.headers({
        'cache-control': 'no-cache',
        vary: 'Accept, Authorization, Service-API-Version',
      })
      return send(reply, result, isAnswer(result) ? 'application/json' : resourceType)
    },
  })
  for (const path of imagePaths('.png')) scope.get(path, leadToImage)
}

/** Image proxies do not follow 308, and cache a response without `Cache-Control` for a year. */
function leadToImage(request: FastifyRequest, reply: FastifyReply) {
  const [path = '', query] = request.url.split('?', 2)
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/png$/, 'svg')
  const image = query === undefined ? name : `${name}?${query}`
  return reply.header('cache-control', 'no-cache, max-age=0').redirect(image, 302)
}
