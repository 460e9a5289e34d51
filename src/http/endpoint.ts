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

/** An endpoint, its steps combined into one function. */
export interface Endpoint {
  method: Method
  paths: readonly string[]
  /** The names of the parameters that it accepts. */
  accepts: readonly string[]
  /** Of its body; without it as many as the framework lets through. */
  mostBytes?: number
  run(call: Call): Promise<unknown>
}

interface FirstSteps {
  /** Whether the call needs a login. Checked before anything is looked up. */
  login?: boolean
  /** Throws when the parameters are invalid. Also runs before anything is looked up. */
  check?(call: Call): void
  mostBytes?: number
  accepts?: readonly string[]
}

/** How a record is found, and whether the viewer can see it. */
interface Lookup<R, Rights extends { read: boolean }> {
  /** The kind of record, as errors name it. */
  type: string
  rights(viewer: Viewer, record: NoInfer<R>): Rights
}

/** A record that another one is looked up in; if it is missing or hidden, the error names it. */
export interface Parent<P> extends Lookup<P, { read: boolean }> {
  find(call: Call): Promise<P | undefined>
}

/** The steps of an endpoint for one record: find → rights → act → present. */
export interface RecordSteps<R, Rights extends { read: boolean }, A, P>
  extends FirstSteps, Lookup<R, Rights> {
  within?: Parent<P>
  /** Also receives the parent if the endpoint has `within`. */
  find(call: Call, parent: NoInfer<P>): Promise<R | undefined>
  right: keyof Rights & string
  act?(call: Call, record: NoInfer<R>): Promise<A>
  present(result: NoInfer<A>, call: Call): unknown
  /** Replaces the usual 404 response. */
  missing?(call: Call): Answer
}

/** The steps of an endpoint that is not about one record. */
export interface OpenSteps extends FirstSteps {
  answer(call: Call): unknown
}

/** The record does not exist, and the endpoint has a 404 response of its own. */
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
      ...(steps.mostBytes === undefined ? {} : { mostBytes: steps.mostBytes }),
      run: (call) => runSteps(steps, call),
    }
  }
}

export const get = endpointMaker('GET')
export const post = endpointMaker('POST')
export const put = endpointMaker('PUT')
export const patch = endpointMaker('PATCH')
export const del = endpointMaker('DELETE')

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
  // What a viewer cannot see does not exist, for writes as well (D18).
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
