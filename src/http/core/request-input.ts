import type { FastifyRequest } from 'fastify'
import { readBody } from '../bodies/read-body.ts'
import type { Given } from '../parameters/nest.ts'
import { unknownNames } from '../parameters/parameter.ts'
import type { Endpoint } from './endpoint.ts'
import type { Generation } from './generation.ts'

/** The input of a call, read once. */
export interface ReadCall {
  /** The parameters of the query and the body; the body wins. */
  given: Given
  /** The token in the body, which is not a parameter (D25). */
  accessToken: string | undefined
  /** Why the body cannot be read. Reported after errors about the caller, the record and the rights. */
  problem: unknown
}

export function readCall(
  request: FastifyRequest,
  endpoint: Endpoint,
  generation: Generation,
): ReadCall {
  const query = request.query as Given
  try {
    const { access_token, ...body } = inBody(request, endpoint, generation)
    // V3 has a resource of this name, whose parameters can be nested.
    const nested = generation === 'v3' ? dotted('access_token', access_token) : {}
    const isRecord = Object.keys(nested).length > 0
    const accessToken = isRecord ? undefined : tokenOf(access_token)
    return { given: { ...query, ...body, ...nested }, accessToken, problem: undefined }
  } catch (problem) {
    return { given: query, accessToken: undefined, problem }
  }
}

/** A value that is not a string counts as an unknown token: it is refused, not ignored. */
function tokenOf(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined
  return typeof given === 'string' ? given : JSON.stringify(given)
}

/** The members of an object as parameters, prefixed with the object's name. */
function dotted(name: string, value: unknown): Given {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [`${name}.${key}`, each]))
}

/** The body of a call as it was sent; empty if there is none, or none is read. */
export function bodyOf({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

function inBody(
  request: FastifyRequest,
  { method, accepts, body: kind }: Endpoint,
  generation: Generation,
): Given {
  // Clients of V2.1 that send every parameter as JSON do so with GET as well.
  const isRead = generation === 'v2' ? method !== 'DELETE' : method !== 'GET'
  if (!isRead) return {}
  const type = request.headers['content-type'] ?? ''
  const given = readBody(bodyOf(request), type, kind)
  // A text labelled as a form, as `curl` does, parses as a form with strange names, and a build file in
  // JSON parses as parameters.
  if (kind === 'text' && holdsNone(accepts, given)) return tokenAlone(given)
  return given
}

function tokenAlone({ access_token }: Given): Given {
  return access_token === undefined ? {} : { access_token }
}

function holdsNone(accepts: Endpoint['accepts'], given: Given): boolean {
  return unknownNames(accepts, given).length === Object.keys(given).length
}
