import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  LogController,
} from 'fastify'
import { acceptBodies } from './bodies/accept-bodies.ts'
import { refuseClient } from './client-error.ts'
import type { HttpContext } from './context.ts'
import { crossOrigin } from './cross-origin.ts'
import { documents } from './documents.ts'
import { apiGeneration, generationConstraint, prefersHtml } from './generation.ts'
import { health } from './health.ts'
import { mostBytes } from '../lint/limits.ts'
import { pages } from './pages/index.ts'
import { mountPages } from './pages/mount.ts'
import { pageRouter } from './pages/page-router.ts'
import { tagPacked } from './entity-tag.ts'
import { nestQuery } from './parameters/nest.ts'
import { prefixOf } from './prefix.ts'
import {
  type ErrorContext,
  frameworkErrors,
  refuseUnknownPaths,
  renderErrors,
} from './render-error.ts'
import { echoRequestId } from './request-id.ts'
import { rewrite } from './rewrite.ts'
import { schema } from './schema.ts'
import { v2Endpoints } from './v2/endpoints/index.ts'
import { v2 } from './v2/mount.ts'
import { formatJson } from './v2/format-json.ts'
import { v3Endpoints } from './v3/endpoints.ts'
import { v3 } from './v3/mount.ts'
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
  acceptBodies(app)
  renderErrors(app, { ctx, generationOf })
  await app.register(webhooks, { db: ctx.db, intake: ctx.intake, sealer: ctx.sealer })
  // In a scope of their own: the hooks of these would cost a webhook as much as reading it.
  await app.register(forCallers, { ctx, generationOf })
  return app
}

/** How all routes of a scope respond: formatted as the query asks, packed, with a tag. */
export async function formAnswers(
  scope: FastifyInstance,
  { ctx, generationOf }: ErrorContext,
): Promise<void> {
  formatJson(scope, { ctx, generationOf })
  await scope.register(compress, { encodings: ['gzip'], threshold: 2048 })
  tagPacked(scope)
}

/** What people and programs call: all but the intake. */
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
