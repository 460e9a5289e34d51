import type { FastifyRequest } from 'fastify'
import { anonymous, type Viewer } from '../access/viewer.ts'
import { canSee } from '../access/visibility.ts'
import { wrongCredentials } from '../domain/errors.ts'
import type { SeenLog } from '../store/seen.ts'
import { tokenIn } from './authenticate.ts'
import type { HttpContext } from './context.ts'
import type { Call } from './endpoint.ts'
import { idIn } from './find-record.ts'
import type { Generation } from './generation.ts'
import type { Given } from './parameters/nest.ts'

/** Milliseconds for which a log token is valid. */
const lifetime = 24 * 60 * 60 * 1000

/** What the log tokens of each generation are called in a query. */
const names: Partial<Record<Generation, string>> = { v2: 'access_token', v3: 'log.token' }

/** What is sealed in the token: whose role it stands for, and until when. */
interface Claim {
  user_id: number
  /** The token that it was made with: without that one it ends. */
  token_id: number
  until: number
}

const recordOf = (jobId: number) => ({ type: 'log_token', id: jobId })

/**
 * The viewer that the log token of a call stands for: an anonymous one who can read the log of one job
 * for as long as the user who made the token can. Undefined without one, and where `logOf`, the
 * parameter of the path that is the job, is missing. Throws for one in the query that is not for this job.
 */
export function logViewer(
  ctx: HttpContext,
  { query, params, headers }: Pick<FastifyRequest, 'query' | 'params' | 'headers'>,
  { logOf }: { logOf?: string },
  generation: Generation,
): Viewer | undefined {
  if (logOf === undefined) return
  const jobId = idIn((params as Record<string, string>)[logOf])
  const given = (query as Given)[names[generation] ?? ''] ?? ''
  const token = given === '' ? tokenIn(headers.authorization ?? '') : textIn(given)
  const claim = jobId && token ? validClaim(ctx, jobId, token) : undefined
  if (claim && token) {
    const log = { user_id: claim.user_id, token_id: claim.token_id, token }
    return { ...anonymous, log, closed: !ctx.site.publicMode }
  }
  // In a header it may be any other token.
  if (given !== '') throw wrongCredentials()
}

const textIn = (given: unknown) => (typeof given === 'string' ? given : undefined)

function validClaim({ sealer, now }: HttpContext, jobId: number, token: string): Claim | undefined {
  const claim = openClaim(sealer, jobId, token)
  return claim && claim.until > now().getTime() ? claim : undefined
}

/** No sealed claim is shorter, and tokens of users are: they need not be opened to be told apart. */
const shortest = 64

function openClaim(sealer: HttpContext['sealer'], jobId: number, token: string): Claim | undefined {
  if (token.length < shortest) return undefined
  try {
    const sealed = Buffer.from(token, 'base64url')
    return JSON.parse(sealer.open(recordOf(jobId), sealed).toString('utf8')) as Claim
  } catch {
    return undefined
  }
}

/**
 * The token by which a log can be read that not everyone can read; undefined for others. It is sealed
 * rather than stored, so that reading a log writes nothing.
 */
export function logTokenFor(
  { ctx: { sealer, now }, viewer }: Pick<Call, 'ctx' | 'viewer'>,
  log: SeenLog,
): string | undefined {
  if (isOpen(viewer, log)) return undefined
  if (viewer.log) return viewer.log.token
  if (!viewer.user || viewer.token_id === undefined) return undefined
  const { user, token_id } = viewer
  const claim: Claim = { user_id: user.id, token_id, until: now().getTime() + lifetime }
  return sealer.seal(recordOf(log.id), JSON.stringify(claim)).toString('base64url')
}

/** Whether those without a role can read a log as well. */
function isOpen({ closed = false }: Viewer, log: SeenLog): boolean {
  if (log.repository_settings?.job_log_access_based_limit === true) return false
  return canSee({ scopes: [], closed }, { ...log.repository, role: null }, log)
}
