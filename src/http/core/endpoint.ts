import type { FastifyRequest } from 'fastify'
import type { Viewer } from '../../access/viewer.ts'
import { insufficientAccess, notFound, type Quota } from '../../domain/errors.ts'
import type { Version } from '../../store/builds/versions.ts'
import type { BodyKind } from '../bodies/read-body.ts'
import { isUnchanged, type ShownVersion } from '../caching/entity-tag.ts'
import type { Admission } from '../identity/authorize-call.ts'
import type { Given } from '../parameters/nest.ts'
import { type Parameters, type Values, valuesOf } from '../parameters/parameter.ts'
import { type Answer, isAnswer, unchanged } from './answer.ts'
import type { HttpContext } from './context.ts'
import { type Declared, declaredBy, type Described } from './declared.ts'
import { Refusal } from './refusal.ts'

/** One call of the API, as the steps of an endpoint see it. */
export interface Call {
  ctx: HttpContext
  viewer: Viewer
  params: Readonly<Record<string, string>>
  query: Given
  /** The parameters of the query and the body as they were given; the body wins. */
  given: Given
  /** Why the body cannot be read (see `givenIn`). */
  problem?: unknown
  request: FastifyRequest
  /** Values that V3's loaders have read for the call. */
  reads?: Map<object, unknown>
  /** The number of times that the act of this call can be repeated, if the record limits it. */
  quota?: Quota
  /** Entity tag of the answer, once it is known. */
  etag?: string
  /** The record that the answer shows, if it has a version. */
  shown?: ShownVersion
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type Feed = boolean | 'image'

/** An endpoint, its steps combined into one function. */
export interface Endpoint {
  admission: Admission
  method: Method
  paths: readonly string[]
  accepts: Parameters
  /** How its body is parsed. */
  body: BodyKind
  /** Path parameter of the job whose log it shows: tokens for this log are accepted. */
  logOf?: string
  /**
   * Whether it is a feed: feed tokens are accepted in the URL. An image ignores tokens that are not valid,
   * because it must not reveal what exists.
   */
  feed: Feed
  /** Whether a GET changes something, so that there is no HEAD. */
  acts: boolean
  /** Whether it takes an `Idempotency-Key`. */
  once: boolean
  /** Size limit of its body; the framework's limit by default. */
  mostBytes?: number
  /** Whether the type of its response depends on what the caller accepts. */
  negotiates: boolean
  /** Its responses, as the API's documents show them. */
  declared: Declared
  /** `ready` throws if the response is impossible, before anything is changed. */
  run(call: Call, ready: () => void): Promise<unknown>
}

interface FirstSteps<G extends Parameters> extends Partial<Admission> {
  /** Throws if parameters are invalid. Runs before anything is looked up. */
  check?(call: Call): void
  mostBytes?: number
  logOf?: string
  feed?: Feed
  /** True for a GET that changes something. */
  acts?: boolean
  /**
   * Whether it takes an `Idempotency-Key`: a call repeated with the same key has no further effect. Forms that
   * need a login have such a key anyway.
   */
  once?: boolean
  /** Parameters, read between the rights and the act; the first invalid one ends the call. */
  accepts?: G
  /** `parameters` by default. */
  body?: BodyKind
  /** False for responses whose type does not depend on `Accept`. */
  negotiates?: boolean
  /** Facts for the API documents that its other steps do not contain. */
  docs?: Described
}

/** How a record is found, and whether the viewer can see it. */
interface Lookup<R, Rights extends { read: boolean }> {
  /** The kind of record, as errors name it. */
  type: string
  rights(viewer: Viewer, record: NoInfer<R>): Rights
}

/** The record that contains another one; if the parent is missing or hidden, the error names the parent. */
export interface Parent<P> extends Lookup<P, { read: boolean }> {
  find(call: Call): Promise<P | undefined>
}

interface Refused<R> {
  status: 400 | 401 | 403 | 404
  answer(call: Call, record: R): Answer
}

/** The steps of an endpoint for one record: find → rights → conflict → parameters → act → present. */
export interface RecordSteps<
  R,
  Rights extends { read: boolean },
  A,
  P,
  G extends Parameters = Parameters,
>
  extends FirstSteps<G>, Lookup<R, Rights> {
  within?: Parent<P>
  /** Also receives the parent if the endpoint has `within`. */
  find(call: Call, parent: NoInfer<P>): Promise<R | undefined>
  right: keyof Rights & string
  /**
   * Changes with any record data that the answer shows: the response gets an ETag, and is not built if
   * the client has it already. Undefined for calls that show more. For a record found by id, the results
   * of `find`, `rights` and `right` may depend only on its row, its repository, and the viewer's token
   * and role: see `recentAnswers`.
   */
  version?(record: NoInfer<R>, call: Call): Version | undefined
  /**
   * Error if the record's state does not permit the act. Called only if parameters are invalid, because
   * the conflict is reported first; the act checks the state itself, under its locks.
   */
  conflict?(call: Call, record: NoInfer<R>): Promise<Error | undefined>
  act?(call: Call, record: NoInfer<R>, values: Values<NoInfer<G>>): Promise<A>
  present(result: NoInfer<A>, call: Call): unknown
  /** Replaces the usual 404 response. A non-`Answer` is an ordinary response, such as an empty list. */
  missing?(call: Call): unknown
  /** Replaces the usual 403 response with an answer of this status. */
  refused?: Refused<NoInfer<R>>
}

/** The steps of an endpoint that is not about one record. */
export interface OpenSteps<G extends Parameters = Parameters> extends FirstSteps<G> {
  answer(call: Call, values: Values<NoInfer<G>>): unknown
}

function endpointMaker(method: Method) {
  return function make<
    R,
    Rights extends { read: boolean },
    A = R,
    P = undefined,
    G extends Parameters = Parameters,
  >(
    paths: string | readonly string[],
    steps: RecordSteps<R, Rights, A, P, G> | OpenSteps<G>,
  ): Endpoint {
    const { accepts = {}, body = 'parameters', negotiates = true, mostBytes, logOf } = steps
    const { feed = false } = steps
    const { login = false, open = false, scope = 'read', rate } = steps
    const { acts = false, once = false } = steps
    const { forSome = !('answer' in steps) || scope === 'read' } = steps
    return {
      admission: { login, open, scope, forSome, ...(rate ? { rate } : {}) },
      method,
      paths: typeof paths === 'string' ? [paths] : paths,
      accepts,
      body,
      negotiates,
      feed,
      acts,
      once,
      declared: declaredBy(method, steps),
      ...(mostBytes === undefined ? {} : { mostBytes }),
      ...(logOf === undefined ? {} : { logOf }),
      run: (call, ready) => runSteps(steps, call, ready),
    }
  }
}

export const get = endpointMaker('GET')
export const post = endpointMaker('POST')
export const put = endpointMaker('PUT')
export const patch = endpointMaker('PATCH')
export const del = endpointMaker('DELETE')

async function runSteps<R, Rights extends { read: boolean }, A, P, G extends Parameters>(
  steps: RecordSteps<R, Rights, A, P, G> | OpenSteps<G>,
  call: Call,
  ready: () => void,
): Promise<unknown> {
  steps.check?.(call)
  if ('answer' in steps) return steps.answer(call, readyValues(steps, call, ready))

  const parent = steps.within && (await findParent(steps.within, call))
  // Without `within` the type of the parent is undefined.
  const record = await steps.find(call, parent as P)
  const rights = record && steps.rights(call.viewer, record)
  // Records that a viewer cannot see do not exist, even for writes (D18).
  if (!record || !rights?.read) return missingAnswer(steps, call, ready)
  if (!rights[steps.right]) {
    const error = insufficientAccess(steps.type, steps.right, record)
    throw steps.refused ? new Refusal(error, steps.refused.answer(call, record)) : error
  }
  const values = steps.conflict
    ? await valuesOrConflict(steps, () => steps.conflict?.(call, record), call, ready)
    : readyValues(steps, call, ready)
  const version = steps.version?.(record, call)
  if (version !== undefined && isUnchanged(call, version)) return unchanged()
  // Without an act, the record itself is presented.
  const result = steps.act ? await steps.act(call, record, values) : (record as unknown as A)
  return steps.present(result, call)
}

/** The parameters of a call. Throws if its body cannot be read. */
export function givenIn({ given, problem }: Pick<Call, 'given' | 'problem'>): Given {
  if (problem !== undefined) throw problem
  return given
}

/** Reads the parameters, and checks that a response is possible, before anything is changed. */
function readyValues<G extends Parameters>(
  { accepts }: FirstSteps<G>,
  call: Call,
  ready: () => void,
): Values<G> {
  const values = valuesOf(accepts ?? ({} as G), givenIn(call))
  ready()
  return values
}

async function valuesOrConflict<G extends Parameters>(
  steps: FirstSteps<G>,
  conflict: () => Promise<Error | undefined> | undefined,
  call: Call,
  ready: () => void,
): Promise<Values<G>> {
  try {
    return readyValues(steps, call, ready)
  } catch (error) {
    throw (await conflict()) ?? error
  }
}

function missingAnswer(
  { type, missing }: { type: string; missing?(call: Call): unknown },
  call: Call,
  ready: () => void,
): unknown {
  const answer = missing?.(call)
  if (answer === undefined) throw notFound(type)
  if (isAnswer(answer)) throw new Refusal(notFound(type), answer)
  ready()
  return answer
}

/** A parent that is itself looked up within another record. */
export function inside<G, P>(
  outer: Parent<G>,
  parent: Lookup<P, { read: boolean }> & {
    find(call: Call, outer: NoInfer<G>): Promise<P | undefined>
  },
): Parent<P> {
  const { type, rights } = parent
  return { type, rights, find: async (call) => parent.find(call, await findParent(outer, call)) }
}

/** The parent record of a path. Throws if it is missing or the viewer cannot see it. */
export async function findParent<P>({ type, find, rights }: Parent<P>, call: Call): Promise<P> {
  const parent = await find(call)
  if (parent === undefined || !rights(call.viewer, parent).read) throw notFound(type)
  return parent
}
