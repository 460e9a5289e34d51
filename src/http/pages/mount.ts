import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import type { HttpContext } from '../context.ts'
import type { Endpoint } from '../endpoint.ts'
import { mount } from '../mount.ts'
import { send } from '../send.ts'
import { pages } from './routes/index.ts'
import { style } from './style.ts'

interface PagesOptions {
  ctx: HttpContext
  pages: readonly Endpoint[]
}

/** The pages for people, under a policy that lets nothing run that is not ours. */
export const mountPages: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  await scope.register(withPolicy, { ctx, pages })
  scope.get('/assets/style.css', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/css;charset=utf-8')
      .send(style),
  )
}

const withPolicy: FastifyPluginAsync<PagesOptions> = async (scope, { ctx, pages }) => {
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
  })
  mount(scope, pages, {
    ctx,
    generation: 'page',
    send(reply, result) {
      reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Authorization' })
      return send(reply, result, 'text/html;charset=utf-8')
    },
  })
}
