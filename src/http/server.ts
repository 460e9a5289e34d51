import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  LogController,
} from 'fastify'
import { isReady } from '../domain/readiness.ts'
import { mostBytes } from '../lint/limits.ts'
import { acceptBodies } from './bodies/accept-bodies.ts'
import { tagPacked } from './caching/entity-tag.ts'
import { revalidate } from './caching/revalidate.ts'
import { refuseClient, refuseSeveralHosts } from './core/client-error.ts'
import type { HttpContext, Site } from './core/context.ts'
import { apiGeneration, generationConstraint, prefersHtml } from './core/generation.ts'
import { rewrite } from './core/normalize-url.ts'
import { prefixOf } from './core/prefix.ts'
import {
  type ErrorContext,
  frameworkErrors,
  refuseUnknownPaths,
  renderErrors,
} from './core/render-error.ts'
import { echoRequestId } from './core/request-id.ts'
import { schema } from './core/schema.ts'
import { publisher } from './core/streaming.ts'
import { crossOrigin } from './identity/cross-origin.ts'
import { metrics } from './metrics.ts'
import type { OpenApi } from './openapi/operation.ts'
import { pages } from './pages/index.ts'
import { mountPages } from './pages/mount.ts'
import { pageRouter } from './pages/page-router.ts'
import { nestQuery } from './parameters/nest.ts'
import { v2Endpoints } from './v2/endpoints/index.ts'
import { formatJson } from './v2/format-json.ts'
import { v2 } from './v2/mount.ts'
import { openApi as openApiOfV2 } from './v2/openapi/document.ts'
import { v3 } from './v3/core/mount.ts'
import { v3Endpoints, v3Actions } from './v3/endpoints.ts'
import { openApi as openApiOfV3 } from './v3/openapi/document.ts'
import { localChanges } from './webhooks/local-changes.ts'
import { webhooks } from './webhooks/webhooks.ts'

/** The HTTP door: both generations of the API, the pages, and the intake of webhooks. */
export async function createServer(ctx: HttpContext): Promise<FastifyInstance> {
  const log: FastifyBaseLogger = ctx.log
  const { hasPage } = pageRouter(pages)
  const generationOf = (request: Pick<IncomingMessage, 'headers' | 'url' | 'method'>) =>
    prefersHtml(request) && hasPage(request) ? 'page' : apiGeneration(request)

  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: frameworkErrors({ ctx, generationOf }),
    clientErrorHandler: refuseClient,
    requestIdHeader: 'x-request-id',
    trustProxy: ctx.site.trustProxy,
    // A slow sender must not hold a connection forever.
    requestTimeout: 120_000,
    bodyLimit: mostBytes,
    rewriteUrl: (request) => rewrite(request, prefixOf(ctx.site, request)),
    routerOptions: {
      // A parameter may be a slug or the name of a branch.
      maxParamLength: 1024,
      constraints: { generation: generationConstraint(generationOf) },
      querystringParser: nestQuery,
    },
  })
  app.addHook('onRequest', echoRequestId)
  app.addHook('onRequest', refuseSeveralHosts)
  acceptBodies(app)
  renderErrors(app, { ctx, generationOf })
  await app.register(webhooks, { db: ctx.db, intake: ctx.intake, sealer: ctx.sealer })
  const answer = ctx.streaming?.publisher
  if (answer) await app.register(publisher, { answer, site: ctx.site })
  if (ctx.metrics) await app.register(metrics, ctx.metrics)
  // All other routes have a scope of their own: its hooks would cost a webhook as much as reading it.
  await app.register(forCallers, { ctx, generationOf })
  return app
}

/** Adds the hooks that format a scope's responses as the query requests, compress them and tag them. */
export async function formAnswers(
  scope: FastifyInstance,
  { ctx, generationOf }: ErrorContext,
): Promise<void> {
  formatJson(scope, { ctx, generationOf })
  await scope.register(compress, { encodings: ['gzip'], threshold: 2048 })
  tagPacked(scope)
}

/** Routes for people and programs: all except the intake. */
const forCallers: FastifyPluginAsync<ErrorContext> = async (scope, { ctx, generationOf }) => {
  await scope.register(cors, crossOrigin)
  await formAnswers(scope, { ctx, generationOf })
  refuseUnknownPaths(scope, { ctx, generationOf })
  await scope.register(health, { readiness: ctx.readiness })
  await scope.register(localChanges, { changes: ctx.intake.changes })
  await scope.register(v2, { ctx, endpoints: v2Endpoints })
  await scope.register(v3, { ctx, endpoints: v3Endpoints })
  await scope.register(mountPages, { ctx })
  await scope.register(schema, { ctx })
  await scope.register(documents, { ctx })
}

const made: Readonly<Record<string, (site: Site) => OpenApi>> = {
  '/docs/v2.1.json': (site) => openApiOfV2(v2Endpoints, site),
  '/docs/v3.json': (site) => openApiOfV3(v3Actions, site),
}

/** The API documents for programs, at paths that belong to no generation. */
const documents: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  await revalidate(scope)
  // Programs that request the documentation get a machine-readable document; people get a page.
  scope.get('/docs', (request, reply) =>
    reply.redirect(
      `${ctx.site.prefix}/docs/${apiGeneration(request) === 'v3' ? 'v3' : 'v2.1'}.json`,
    ),
  )
  for (const [path, documentFor] of Object.entries(made)) {
    let written: Buffer | undefined
    scope.get(path, (_request, reply) => {
      written ??= Buffer.from(JSON.stringify(documentFor(ctx.site)))
      reply.header('cache-control', 'public, max-age=3600')
      return reply.type('application/json').send(written)
    })
  }
}

/** Health checks for operators: whether the process is alive, and whether it can work. */
const health: FastifyPluginAsync<Pick<HttpContext, 'readiness'>> = async (scope, { readiness }) => {
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
