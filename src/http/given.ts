import type { FastifyRequest } from 'fastify'
import { readBody } from './bodies/read-body.ts'
import type { Endpoint } from './endpoint.ts'
import type { Generation } from './generation.ts'
import type { Given } from './parameters/nest.ts'
import { unknownNames } from './parameters/parameter.ts'

/** What a call was given, read once. */
export interface ReadCall {
  /** The parameters of the query and the body; the body wins. */
  given: Given
  /** The token in the body, which is no parameter (D25). */
  accessToken: string | undefined
  /** Why the body cannot be read. Reported after what is wrong with the caller. */
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
    // V3 knows a resource of that name, whose parameters can be nested.
    const nested = generation === 'v3' ? dotted('access_token', access_token) : {}
    const accessToken = typeof access_token === 'string' ? access_token : undefined
    return { given: { ...query, ...body, ...nested }, accessToken, problem: undefined }
  } catch (problem) {
    return { given: query, accessToken: undefined, problem }
  }
}

/** The members of an object as parameters with its name before theirs. */
function dotted(name: string, value: unknown): Given {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [`${name}.${key}`, each]))
}

/** The body of a call as it was sent; empty where there is none, or none is read. */
export function bodyOf({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

function inBody(
  request: FastifyRequest,
  { method, accepts, body: kind }: Endpoint,
  generation: Generation,
): Given {
  if (method === 'GET' || (method === 'DELETE' && generation === 'v2')) return {}
  const type = request.headers['content-type'] ?? ''
  const given = readBody(bodyOf(request), type, kind)
  // A text that is labelled as a form, as `curl` does, reads like one with strange names.
  if (kind === 'text' && isForm(type) && holdsNone(accepts, given)) return {}
  return given
}

function isForm(type: string): boolean {
  return type.toLowerCase().includes('x-www-form-urlencoded')
}

function holdsNone(accepts: Endpoint['accepts'], given: Given): boolean {
  return unknownNames(accepts, given).length === Object.keys(given).length
}
