import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import qs from 'qs'
import type { HttpContext } from './context.ts'
import { apiGeneration, generationConstraint, prefersHtml } from './generation.ts'
import { mountPages, pageRouter } from './pages/mount.ts'
import { frameworkErrors, renderErrors } from './render-error.ts'
import { rewrite } from './rewrite.ts'
import { v2 } from './v2/mount.ts'
import { v3 } from './v3/mount.ts'
import { webhooks } from './webhooks.ts'

/** The HTTP door: both generations of the API, the pages, and the intake of webhooks. */
export async function createServer(ctx: HttpContext): Promise<FastifyInstance> {
  const { prefix } = ctx.site
  const pages = pageRouter()
  const generationOf = (request: Pick<IncomingMessage, 'headers' | 'url' | 'method'>) =>
    prefersHtml(request) && pages.knows(request.url ?? '/') ? 'page' : apiGeneration(request)

  const app = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: frameworkErrors(ctx, generationOf),
    requestIdHeader: 'x-request-id',
    rewriteUrl: (request) => rewrite(request, prefix),
    routerOptions: {
      // A parameter may be a slug or the name of a branch.
      maxParamLength: 1024,
      constraints: { generation: generationConstraint(generationOf) },
      querystringParser: (text) => qs.parse(text, { depth: 3, arrayLimit: 1000 }),
    },
  })
  app.addHook('onRequest', async ({ headers }, reply) => {
    const id = headers['x-request-id']
    if (id !== undefined) reply.header('x-request-id', id)
  })
  await app.register(cors, crossOrigin)
  await app.register(compress, { encodings: ['gzip'], threshold: 2048 })
  renderErrors(app, ctx, generationOf)

  await app.register(webhooks, { intake: ctx.intake, sealer: ctx.sealer })
  await app.register(v2, { ctx })
  await app.register(v3, { ctx })
  await app.register(mountPages, { ctx })
  return app
}

/** All resources allow cross-origin requests (api-v2.1 5.4). */
const crossOrigin = {
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
    // Without it a browser could not choose V3.
    'Service-API-Version',
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
