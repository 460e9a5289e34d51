import type { Readable } from 'node:stream'
import type { Call } from '../../core/endpoint.ts'
import { hasBody } from '../../openapi/parameters.ts'
import { type Action, expressionsIn } from '../../v3/core/action.ts'
import type { Typed } from './fields.ts'

/** The result of a call, or why it was not made. */
export type Tried = { problem: string } | TriedCall

export interface TriedCall {
  /** Method and address. */
  asked: string
  /** The body that was sent, if any. */
  sent: string | undefined
  status: number
  text: string
  /** Whether only the beginning of the answer is shown. */
  isCut: boolean
}

/** Longer answers are cut to this length. */
const mostBytes = 200_000

/** Calls an action with the typed values, like a program with this token; with an empty one, like one without. */
export async function tryAction(
  call: Call,
  action: Action,
  typed: Typed,
  token = typed.token,
): Promise<Tried> {
  const path = pathOf(action, typed)
  if (path === undefined) {
    return { problem: `Fill in ${waysOf(action).join(', or ')}.` }
  }
  const body = bodyOf(action, typed)
  if ('problem' in body) return body
  const { sent } = body
  const { ctx, request } = call
  const { method } = action.endpoint
  const url = `${ctx.site.prefix}/v3${path}${queryOf(action, typed)}`
  const answer = await request.server.inject({
    method,
    url,
    remoteAddress: request.ip,
    headers: {
      ...(token === '' ? {} : { authorization: `token ${token}` }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { payload: sent }),
    payloadAsStream: true,
  })
  const { text, isCut } = await beginningOf(answer.stream())
  return { asked: `${method} ${url}`, sent, status: answer.statusCode, text, isCut }
}

/** The first template whose expressions are all filled in. */
function pathOf({ templates }: Action, { address }: Typed): string | undefined {
  const filled = templates.find((template) =>
    expressionsIn(template).every((name) => address[name] !== undefined),
  )
  const path = filled?.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
    encodeURIComponent(address[name] ?? ''),
  )
  return path !== undefined && isItself(path) ? path : undefined
}

/** Segments of dots alone lead to a different path, even if they are escaped. */
function isItself(path: string): boolean {
  return path.split('/').every((segment) => !/^\.{1,2}$/.test(segment))
}

function waysOf({ templates }: Action): string[] {
  return templates.map((template) => expressionsIn(template).join(' and '))
}

/** Parameters in the query; for writes, only parameters that choose how the answer is shown. */
function queryOf({ endpoint }: Action, { parameters }: Typed): string {
  const names = Object.keys(parameters)
  const inQuery = hasBody(endpoint) ? names.filter(isAboutShowing) : names
  const query = new URLSearchParams(inQuery.map((name) => [name, parameters[name] ?? '']))
  return inQuery.length === 0 ? '' : `?${query}`
}

/** The body to send, if any; a parameter that is a list or an object is typed as JSON. */
function bodyOf(
  { endpoint }: Action,
  { parameters }: Typed,
): { sent: string | undefined } | { problem: string } {
  const members: Record<string, unknown> = {}
  for (const [name, text] of hasBody(endpoint) ? Object.entries(parameters) : []) {
    if (isAboutShowing(name)) continue
    const isStructured = ['array', 'object'].includes(String(endpoint.accepts[name]?.schema.type))
    const value = isStructured ? parsed(text) : text
    if (value === undefined) {
      return {
        problem: `${name} must be JSON, such as ["a"] or {"a": "b"}: correct it and try again.`,
      }
    }
    members[name] = value
  }
  return { sent: Object.keys(members).length === 0 ? undefined : JSON.stringify(members) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isAboutShowing(name: string): boolean {
  return name === 'include' || name === 'representation'
}

/** Reads the whole stream, because its sender would wait forever otherwise, but keeps only its beginning. */
async function beginningOf(stream: Readable): Promise<{ text: string; isCut: boolean }> {
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array)
    if (size < mostBytes) kept.push(bytes.subarray(0, mostBytes - size))
    size += bytes.length
  }
  return { text: Buffer.concat(kept).toString(), isCut: size > mostBytes }
}
