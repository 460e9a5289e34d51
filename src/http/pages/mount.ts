import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import type { HttpContext } from '../context.ts'
import { mount } from '../mount.ts'
import { type PathRouter, pathRouter } from '../path-router.ts'
import { send } from '../send.ts'
import { pages } from './routes/index.ts'
import { style } from './style.ts'

/** First segments that belong to the API, or will: `/repos/5` is never the page of an owner. */
const reserved = new Set([
  ...['accounts', 'api', 'assets', 'auth', 'branches', 'broadcasts', 'build', 'builds', 'config'],
  ...['cron', 'docs', 'hooks', 'installation', 'job', 'jobs', 'lint', 'log', 'logout', 'logs'],
  ...['org', 'orgs', 'owner', 'preference', 'preferences', 'repo', 'repos', 'request', 'requests'],
  ...['schema', 'settings', 'stage', 'streaming', 'uptime', 'user', 'users', 'v3', 'webhooks'],
])

/** Knows which addresses have a page, so that a browser gets one there and the API elsewhere. */
export function pageRouter(): PathRouter {
  const router = pathRouter(pages.flatMap(({ paths }) => paths))
  return {
    knows: (url) => !reserved.has(url.split(/[/?]/)[1] ?? '') && router.knows(url),
  }
}

/** The pages for people, under a policy that lets nothing run that is not ours. */
export const mountPages: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
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
  scope.get('/assets/style.css', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/css;charset=utf-8')
      .send(style),
  )
}
