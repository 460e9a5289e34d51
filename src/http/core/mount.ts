import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymous, type Viewer } from '../../access/viewer.ts'
import { type Quota, wrongCredentials } from '../../domain/errors.ts'
import { useToken } from '../../flow/tokens/use-token.ts'
import { headersOfTagged } from '../caching/entity-tag.ts'
import { answerBefore, answerToForm, keepingAnswers, sendAgain } from '../caching/idempotency.ts'
import { recentAnswers } from '../caching/not-modified-cache.ts'
import { authenticate, rememberViewer } from '../identity/authenticate.ts'
import { admit, countCall } from '../identity/authorize-call.ts'
import { logViewer } from '../identity/log-token.ts'
import { quotaHeaders } from '../identity/rate-limits.ts'
import { checkForm } from '../identity/session.ts'
import type { Given } from '../parameters/nest.ts'
import { isUnchangedAnswer, unchanged } from './answer.ts'
import type { HttpContext } from './context.ts'
import type { Call, Endpoint } from './endpoint.ts'
import type { Generation } from './generation.ts'
import { methodsOf } from './path-router.ts'
import { bodyOf, readCall, type ReadCall } from './request-input.ts'

/** Context and endpoints of one generation of the API. */
export interface ApiOptions {
  ctx: HttpContext
  endpoints: readonly Endpoint[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint that a route of the API or the pages belongs to. */
    endpoint?: Endpoint
  }
}

interface MountOptions {
  ctx: HttpContext
  generation: Generation
  /** Headers that describe the caller, on errors too. */
  headersFor?(viewer: Viewer): Record<string, string>
  /** Throws if a response is impossible; called after the rights and before anything is changed. */
  ready?(call: Call, endpoint: Endpoint): void
  send(
    reply: FastifyReply,
    result: unknown,
    source: { call: Call; endpoint: Endpoint },
  ): FastifyReply | Promise<FastifyReply>
}

/** Mounts endpoints for one generation; every GET that only reads also handles HEAD. */
export function mount(
  scope: FastifyInstance,
  endpoints: readonly Endpoint[],
  { ctx, generation, headersFor, ready, send }: MountOptions,
): void {
  const recent = recentAnswers(ctx)

  function count({ ip }: FastifyRequest, viewer: Viewer): Quota | undefined {
    return generation === 'page' ? undefined : countCall(ctx, { viewer, ip })
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
      // Calls with invalid tokens count too, because they may be guesses.
      if (isCounted(endpoint)) count(request, anonymous)
      throw error
    }
  }

  for (const endpoint of endpoints) {
    const { admission, method, paths, run, mostBytes, declared, once } = endpoint
    const isForm = generation === 'page' && method === 'POST' && (!admission.open || once)
    for (const url of paths) {
      scope.route({
        method: methodsOf(endpoint),
        exposeHeadRoute: false,
        url,
        constraints: { generation },
        config: { endpoint },
        ...(mostBytes === undefined ? {} : { bodyLimit: mostBytes }),
        ...(once || isForm ? { onSend: keepingAnswers(ctx) } : {}),
        async handler(request, reply) {
          const { given, accessToken, problem } = readCall(request, endpoint, generation)
          // A body says more about a call than its address.
          const isRepeatable = declared.revalidates && bodyOf(request).length === 0
          const asked = isRepeatable ? await recent.ask(request) : undefined
          const viewer =
            asked?.still?.viewer ??
            logViewer(ctx, request, endpoint, generation) ??
            (await known(request, endpoint, { given, accessToken }))
          rememberViewer(request, viewer)
          if (headersFor) reply.headers(headersFor(viewer))
          const general = isCounted(endpoint) ? count(request, viewer) : undefined
          if (general) reply.headers(quotaHeaders(general))
          // The endpoint's limit is reached first, so its headers win.
          const own = admit(ctx, admission, { viewer, ip: request.ip })
          if (own) reply.headers(quotaHeaders(own))
          if (!admission.open && method !== 'GET') checkForm(viewer, given, request.headers)
          const call = callOf(ctx, viewer, request, { given, problem })
          const before = await (isForm ? answerToForm(call) : once ? answerBefore(call) : undefined)
          if (before) return sendAgain(reply, before)
          const result = asked?.still
            ? repeated(call, asked.still)
            : await run(call, () => ready?.(call, endpoint))
          if (asked && !asked.still && isUnchangedAnswer(result)) recent.keep(asked, call)
          if (call.etag !== undefined) reply.headers(headersOfTagged(call.etag))
          if (call.quota && !own) reply.headers(quotaHeaders(call.quota))
          return send(reply, result, { call, endpoint })
        },
      })
    }
  }
}

/** Images are called by proxies, which are one address for many people. */
const isCounted = ({ feed }: Endpoint) => feed !== 'image'

/** Repeats the response of a moment ago, which is still correct. */
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

/**
 * The viewer identified by the feed token in the URL, if the endpoint is a feed: feed readers cannot
 * send headers. Such a token is valid for feeds only. Throws if it is invalid, except for images.
 */
async function feedViewer(
  ctx: HttpContext,
  { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>,
  { feed }: Pick<Endpoint, 'feed'>,
): Promise<Viewer | undefined> {
  const { token = '' } = query as Given
  if (!feed || token === '' || headers.authorization !== undefined) return
  const viewer = typeof token === 'string' ? await useToken(ctx, token, 'feed') : undefined
  if (!viewer && feed !== 'image') throw wrongCredentials()
  return { ...(viewer ?? anonymous), ...(ctx.site.publicMode ? {} : { closed: true }) }
}
