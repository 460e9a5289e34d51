import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymous, type Viewer } from '../access/viewer.ts'
import { admit, countCall } from './admit.ts'
import { isUnchangedAnswer, unchanged } from './answer.ts'
import { authenticate, rememberViewer } from './authenticate.ts'
import type { HttpContext } from './context.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { headersOfTagged } from './entity-tag.ts'
import { feedViewer } from './feed-token.ts'
import type { Generation } from './generation.ts'
import { readCall, type ReadCall } from './given.ts'
import { logViewer } from './log-token.ts'
import type { Given } from './parameters/nest.ts'
import { methodsOf } from './path-router.ts'
import { recentAnswers } from './recent-answers.ts'
import { checkForm } from './session.ts'

/** A generation of the API, and what is mounted for it. */
export interface ApiOptions {
  ctx: HttpContext
  endpoints: readonly Endpoint[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of the API or a page is of. */
    endpoint?: Endpoint
  }
}

interface MountOptions {
  ctx: HttpContext
  generation: Generation
  /** Headers that describe the caller, on errors as well. */
  headersFor?(viewer: Viewer): Record<string, string>
  /** Throws what makes a response impossible, after the rights and before anything is changed. */
  ready?(call: Call, endpoint: Endpoint): void
  send(
    reply: FastifyReply,
    result: unknown,
    source: { call: Call; endpoint: Endpoint },
  ): FastifyReply | Promise<FastifyReply>
}

/** Mounts endpoints for one generation; every GET that only reads handles HEAD as well. */
export function mount(
  scope: FastifyInstance,
  endpoints: readonly Endpoint[],
  { ctx, generation, headersFor, ready, send }: MountOptions,
): void {
  const recent = recentAnswers(ctx)

  function count({ ip }: FastifyRequest, viewer: Viewer): void {
    if (generation !== 'page') countCall(ctx, { viewer, ip })
  }

  async function known(
    request: FastifyRequest,
    endpoint: Endpoint,
    { given, accessToken }: Pick<ReadCall, 'given' | 'accessToken'>,
  ): Promise<Viewer> {
    try {
      const reader = await feedViewer(ctx, request, endpoint)
      if (reader) return reader
      return await authenticate(
        ctx,
        { headers: request.headers, query: given },
        generation,
        accessToken,
      )
    } catch (error) {
      // Whoever guesses tokens makes calls as well.
      count(request, anonymous)
      throw error
    }
  }

  for (const endpoint of endpoints) {
    const { admission, method, paths, run, mostBytes, declared } = endpoint
    for (const url of paths) {
      scope.route({
        method: methodsOf(endpoint),
        exposeHeadRoute: false,
        url,
        constraints: { generation },
        config: { endpoint },
        ...(mostBytes === undefined ? {} : { bodyLimit: mostBytes }),
        async handler(request, reply) {
          const { given, accessToken, problem } = readCall(request, endpoint, generation)
          const asked = declared.revalidates ? await recent.ask(request) : undefined
          const viewer =
            asked?.still?.viewer ??
            logViewer(ctx, request, endpoint, generation) ??
            (await known(request, endpoint, { given, accessToken }))
          rememberViewer(request, viewer)
          if (headersFor) reply.headers(headersFor(viewer))
          count(request, viewer)
          admit(ctx, admission, { viewer, ip: request.ip })
          if (!admission.open && method !== 'GET') checkForm(viewer, given)
          const call = callOf(ctx, viewer, request, { given, problem })
          const result = asked?.still
            ? repeated(call, asked.still)
            : await run(call, () => ready?.(call, endpoint))
          if (asked && !asked.still && isUnchangedAnswer(result)) recent.keep(asked, call)
          if (call.etag !== undefined) reply.headers(headersOfTagged(call.etag))
          return send(reply, result, { call, endpoint })
        },
      })
    }
  }
}

/** What was answered a moment ago, and is true still. */
function repeated(call: Call, { etag }: { etag: string }) {
  call.etag = etag
  return unchanged()
}

function callOf(
  ctx: HttpContext,
  viewer: Viewer,
  request: FastifyRequest,
  { given, problem }: Pick<ReadCall, 'given' | 'problem'>,
): Call {
  return {
    ctx,
    viewer,
    request,
    params: request.params as Record<string, string>,
    query: request.query as Given,
    given,
    problem,
  }
}
