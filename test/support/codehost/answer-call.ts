import { authenticate, type Caller } from './authenticate.ts'
import type { Limits } from './limits.ts'
import { notFound, Refusal, type Reply } from './reply.ts'
import { type Call, findRoute } from './route.ts'
import { routes } from './routes/index.ts'
import { etagOf } from './send.ts'

/** Handles a call of the interface, or returns an error. */
export async function answerCall(
  limits: Limits,
  call: Omit<Call, 'caller' | 'params'>,
): Promise<Reply> {
  let left: Record<string, string> = {}
  try {
    const caller = authenticate(call.world, call.headers.authorization)
    const resource = call.path === '/graphql' ? 'graphql' : 'core'
    left = { ...limits.count(caller, resource), ...scopesOf(caller) }
    const reply = await answered({ ...call, caller })
    if (!isKnown(call, reply)) return { ...reply, headers: { ...left, ...reply.headers } }
    // What the caller knows already costs nothing.
    return { status: 304, headers: { ...limits.forgive(caller), etag: etagOf(reply) } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...error.reply, headers: { ...left, ...error.reply.headers } }
  }
}

/** What a token is for, as far as it has scopes. */
function scopesOf(caller: Caller): Record<string, string> {
  if (caller.kind !== 'user' || !caller.scopes) return {}
  return { 'x-oauth-scopes': caller.scopes.join(', ') }
}

async function answered(call: Omit<Call, 'params'>): Promise<Reply> {
  const found = findRoute(routes, call.method, call.path)
  if (!found) throw notFound()
  return found.answer({ ...call, params: found.params })
}

function isKnown({ method, headers }: Omit<Call, 'caller' | 'params'>, reply: Reply): boolean {
  return method === 'GET' && reply.status === 200 && headers['if-none-match'] === etagOf(reply)
}
