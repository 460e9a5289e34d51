import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import { revalidate } from '../caching/revalidate.ts'
import { htmlType } from '../core/answer.ts'
import type { HttpContext } from '../core/context.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { mount } from '../core/mount.ts'
import { send } from '../core/send.ts'
import { streamingAddress } from '../core/streaming.ts'
import { assets } from './assets.ts'
import { livePages, plainPages, scriptedPages } from './index.ts'

const policy = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}
const scriptedPolicy = { ...policy, scriptSrc: ["'self'"], connectSrc: ["'self'"] }

/** The pages for people, under a policy that allows no foreign script. */
export const mountPages: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  await scope.register(underPolicy, { ctx, pages: plainPages, directives: policy })
  await scope.register(underPolicy, { ctx, pages: scriptedPages, directives: scriptedPolicy })
  const livePolicy = { ...scriptedPolicy, connectSrc: ["'self'", ...streamSources(ctx)] }
  await scope.register(underPolicy, { ctx, pages: livePages, directives: livePolicy })
  await scope.register(assetFiles)
}

/** The address of the streaming service: not all browsers count sockets of the page's own host as its own. */
function streamSources(ctx: HttpContext): string[] {
  const address = streamingAddress(ctx)
  if (!('host' in address)) return []
  const { scheme, host, port } = address
  return [`${scheme === 'https' ? 'wss' : 'ws'}://${host}:${port}`]
}

const assetFiles: FastifyPluginAsync = async (scope) => {
  await revalidate(scope)
  for (const { name, type, text } of assets) {
    scope.get(`/assets/${name}`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(text),
    )
  }
}

interface PageOptions {
  ctx: HttpContext
  pages: readonly Endpoint[]
  directives: Record<string, string[]>
}

const underPolicy: FastifyPluginAsync<PageOptions> = async (scope, { ctx, pages, directives }) => {
  await scope.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
  })
  mount(scope, pages, {
    ctx,
    generation: 'page',
    send(reply, result) {
      reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Authorization, Cookie' })
      return send(reply, result, htmlType)
    },
  })
}
