import type { FastifyRequest } from 'fastify'
import { anonymous, type Viewer } from '../../access/viewer.ts'
import { canSee } from '../../access/visibility.ts'
import { wrongCredentials } from '../../domain/errors.ts'
import type { SeenLog } from '../../store/repositories/repository-access.ts'
import type { HttpContext } from '../core/context.ts'
import type { Call } from '../core/endpoint.ts'
import type { Generation } from '../core/generation.ts'
import { idIn } from '../core/path-id.ts'
import type { Given } from '../parameters/nest.ts'
import { tokenIn } from './authenticate.ts'

/** Milliseconds for which a log token is valid. */
const lifetime = 24 * 60 * 60 * 1000

/** Query parameter of log tokens in each generation. */
const names: Partial<Record<Generation, string>> = { v2: 'access_token', v3: 'log.token' }

/** The sealed content of a log token: the user whose role it grants, and until when. */
interface Claim {
  user_id: number
  /** The token it was made with: the log token ends with it. */
  token_id: number
  until: number
}

const recordOf = (jobId: number) => ({ type: 'log_token', id: jobId })

/**
 * The viewer identified by a log token: an anonymous viewer who can read the log of one job for as long
 * as the user who made the token can. Undefined without a log token, or without `logOf`, the path
 * parameter of the job. Throws in V2.1 for a token in the query that is not for this job.
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
  // A header can contain any other token. In V3 an invalid log token is ignored.
  if (given !== '' && generation === 'v2') throw wrongCredentials()
}

const textIn = (given: unknown) => (typeof given === 'string' ? given : undefined)

function validClaim({ sealer, now }: HttpContext, jobId: number, token: string): Claim | undefined {
  const claim = openClaim(sealer, jobId, token)
  return claim && claim.until > now().getTime() ? claim : undefined
}

/** Minimum length of a sealed claim. Users' tokens are shorter, so they are recognized without opening. */
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
 * A token for reading a log that is not open to everyone; undefined for open logs. It is sealed rather
 * than stored, so that reading a log writes nothing.
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

/** Whether viewers without a role can also read a log. */
function isOpen({ closed = false }: Viewer, log: SeenLog): boolean {
  if (log.repository_settings?.job_log_access_based_limit === true) return false
  return canSee({ scopes: [], closed }, { ...log.repository, role: null }, log)
}
