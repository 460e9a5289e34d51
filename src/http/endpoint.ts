import type { FastifyRequest } from 'fastify'
import type { Viewer } from '../access/viewer.ts'
import { insufficientAccess, loginRequired, notFound, ServiceError } from '../domain/errors.ts'
import type { Answer } from './answer.ts'
import type { HttpContext } from './context.ts'

/** One call of the API, as the steps of an endpoint see it. */
export interface Call {
  ctx: HttpContext
  viewer: Viewer
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  request: FastifyRequest
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** How many calls one address may make within so many seconds, and how much each may bring. */
export interface CallLimit {
  calls: number
  seconds: number
  bytes: number
}

/** An endpoint, its steps put together into one function. */
export interface Endpoint {
  method: Method
  paths: readonly string[]
  /** The names of the parameters that it takes. */
  accepts: readonly string[]
  limit?: CallLimit
  run(call: Call): Promise<unknown>
}

interface FirstSteps {
  /** Whether the call needs a login. Asked before anything is looked up. */
  login?: boolean
  /** Throws when the call cannot be understood. Asked before anything is looked up as well. */
  check?(call: Call): void
  limit?: CallLimit
  accepts?: readonly string[]
}

/** How a record is found, and whether the viewer can see it. */
interface Lookup<R, Rights extends { read: boolean }> {
  /** The kind of record, as errors name it. */
  type: string
  rights(viewer: Viewer, record: NoInfer<R>): Rights
}

/** A record that another one is looked up in: where it is missing or hidden, it is named instead. */
export interface Parent<P> extends Lookup<P, { read: boolean }> {
  find(call: Call): Promise<P | undefined>
}

/** The steps of an endpoint that speaks of one record: find → rights → act → present. */
export interface RecordSteps<R, Rights extends { read: boolean }, A, P>
  extends FirstSteps, Lookup<R, Rights> {
  within?: Parent<P>
  /** Gets the parent as well, where the endpoint says what the record is looked up `within`. */
  find(call: Call, parent: NoInfer<P>): Promise<R | undefined>
  right: keyof Rights & string
  act?(call: Call, record: NoInfer<R>): Promise<A>
  present(result: NoInfer<A>, call: Call): unknown
  /** What is answered in place of the usual 404. */
  missing?(call: Call): Answer
}

/** The steps of an endpoint that speaks of no record in particular. */
export interface OpenSteps extends FirstSteps {
  answer(call: Call): unknown
}

/** There is no such record, and the endpoint has its own words for it. */
export class RecordMissing extends ServiceError {
  readonly answer: Answer

  constructor(type: string, answer: Answer) {
    super('not_found', notFound(type).message, { resource_type: type })
    this.answer = answer
  }
}

function endpointMaker(method: Method) {
  return function make<R, Rights extends { read: boolean }, A = R, P = undefined>(
    paths: string | readonly string[],
    steps: RecordSteps<R, Rights, A, P> | OpenSteps,
  ): Endpoint {
    return {
      method,
      paths: typeof paths === 'string' ? [paths] : paths,
      accepts: steps.accepts ?? [],
      ...(steps.limit ? { limit: steps.limit } : {}),
      run: (call) => runSteps(steps, call),
    }
  }
}

export const get = endpointMaker('GET')
export const post = endpointMaker('POST')
export const put = endpointMaker('PUT')

async function runSteps<R, Rights extends { read: boolean }, A, P>(
  steps: RecordSteps<R, Rights, A, P> | OpenSteps,
  call: Call,
): Promise<unknown> {
  if (steps.login && !call.viewer.user) throw loginRequired()
  steps.check?.(call)
  if ('answer' in steps) return steps.answer(call)

  const parent = steps.within && (await findParent(steps.within, call))
  // Without `within` the type of the parent is undefined.
  const record = await steps.find(call, parent as P)
  const rights = record && steps.rights(call.viewer, record)
  // What a viewer may not see does not exist, for writes as well (D18).
  if (!record || !rights?.read) {
    throw steps.missing ? new RecordMissing(steps.type, steps.missing(call)) : notFound(steps.type)
  }
  if (!rights[steps.right]) throw insufficientAccess(steps.type, steps.right, record)
  // Without an act, what is presented is the record itself.
  const result = steps.act ? await steps.act(call, record) : (record as unknown as A)
  return steps.present(result, call)
}

async function findParent<P>({ type, find, rights }: Parent<P>, call: Call): Promise<P> {
  const parent = await find(call)
  if (parent === undefined || !rights(call.viewer, parent).read) throw notFound(type)
  return parent
}
