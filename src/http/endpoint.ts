import type { FastifyRequest } from 'fastify'
import type { Viewer } from '../access/viewer.ts'
import { insufficientAccess, loginRequired, notFound } from '../domain/errors.ts'
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

/** An endpoint, its steps put together into one function. */
export interface Endpoint {
  method: Method
  paths: readonly string[]
  run(call: Call): Promise<unknown>
}

/** The steps of an endpoint that speaks of one record: find → rights → act → present. */
export interface RecordSteps<R, Rights extends { read: boolean }, A> {
  /** The kind of record, as errors name it. */
  type: string
  /** Whether the call needs a login. Asked before anything is looked up. */
  login?: boolean
  find(call: Call): Promise<R | undefined>
  rights(viewer: Viewer, record: NoInfer<R>): Rights
  right: keyof Rights & string
  act?(call: Call, record: NoInfer<R>): Promise<A>
  present(result: NoInfer<A>, call: Call): unknown
  /** What is answered in place of the usual 404. */
  missing?(call: Call): unknown
}

/** The steps of an endpoint that speaks of no record in particular. */
export interface OpenSteps {
  login?: boolean
  answer(call: Call): unknown
}

function endpointMaker(method: Method) {
  return function make<R, Rights extends { read: boolean }, A = R>(
    paths: string | readonly string[],
    steps: RecordSteps<R, Rights, A> | OpenSteps,
  ): Endpoint {
    return {
      method,
      paths: typeof paths === 'string' ? [paths] : paths,
      run: (call) => runSteps(steps, call),
    }
  }
}

export const get = endpointMaker('GET')
export const post = endpointMaker('POST')

async function runSteps<R, Rights extends { read: boolean }, A>(
  steps: RecordSteps<R, Rights, A> | OpenSteps,
  call: Call,
): Promise<unknown> {
  if (steps.login && !call.viewer.user) throw loginRequired()
  if ('answer' in steps) return steps.answer(call)

  const record = await steps.find(call)
  const rights = record && steps.rights(call.viewer, record)
  // What a viewer may not see does not exist, for writes as well (decision 8).
  if (!record || !rights?.read) {
    if (steps.missing) return steps.missing(call)
    throw notFound(steps.type)
  }
  if (!rights[steps.right]) throw insufficientAccess(steps.type, steps.right, record)
  // Without an act, what is presented is the record itself.
  const result = steps.act ? await steps.act(call, record) : (record as unknown as A)
  return steps.present(result, call)
}
