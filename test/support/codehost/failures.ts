import { primaryLimit, secondaryLimit } from './limits.ts'
import { Refusal, type Reply } from './reply.ts'
import type { World } from './world.ts'

/** What goes wrong with a call. Where nothing else is said, nothing is done of what was asked. */
export type Failure =
  /** The connection breaks before there is a response. */
  | { kind: 'broken' }
  /** There is never a response. */
  | { kind: 'silent' }
  /** All is as usual, once this has come about. */
  | { kind: 'slow'; until: Promise<unknown> }
  /** All is done as usual, but the response comes once this has come about. */
  | { kind: 'late'; until: Promise<unknown> }
  /** All is done as usual, but the connection breaks in the middle of the response. */
  | { kind: 'truncated' }
  /** All is done as usual, but what stands in between says 502. */
  | { kind: 'done_but_502' }
  | { kind: 'status'; status: number; message?: string }
  /** No more calls this hour; the limit resets after so many seconds. */
  | { kind: 'primary_limit'; reset?: number }
  /** What a query in GraphQL fails with, which has status 200 as well. */
  | { kind: 'graphql'; type?: string; message: string }
  /** Too many calls at once. */
  | { kind: 'secondary_limit'; status?: 403 | 429; retry_after?: number }

export interface Failures {
  /** The next call of this kind fails; `match` is held against `GET /path?query`. */
  next(failure: Failure, match?: RegExp): void
  /** All such calls fail until the returned function is called. */
  while(failure: Failure, match?: RegExp): () => void
  /** What is to go wrong with a call, if anything. */
  take(call: string): Failure | undefined
}

interface Rule {
  failure: Failure
  match: RegExp
  once: boolean
}

export function createFailures(): Failures {
  const rules = new Set<Rule>()
  return {
    next(failure, match = /^/) {
      rules.add({ failure, match, once: true })
    },
    while(failure, match = /^/) {
      const rule = { failure, match, once: false }
      rules.add(rule)
      return () => void rules.delete(rule)
    },
    take(call) {
      const rule = [...rules].find(({ match }) => match.test(call))
      if (rule?.once) rules.delete(rule)
      return rule?.failure
    },
  }
}

const texts: Readonly<Record<number, string>> = {
  401: 'Bad credentials',
  403: 'Resource not accessible by integration',
  404: 'Not Found',
  422: 'Validation Failed',
  451: 'Repository access blocked',
  500: 'Internal Server Error',
  502: 'Server Error',
}

/** The responses of failures that have one. */
export function failed({ now, rateLimit }: World, failure: Failure): Reply | undefined {
  switch (failure.kind) {
    case 'status':
      return statusReply(failure.status, failure.message)
    case 'done_but_502':
      return statusReply(502)
    case 'graphql': {
      const { type, message } = failure
      return { status: 200, body: { data: null, errors: [{ ...(type ? { type } : {}), message }] } }
    }
    case 'primary_limit': {
      const reset = Math.floor(now().getTime() / 1000) + (failure.reset ?? 60)
      const headers = {
        'x-ratelimit-limit': String(rateLimit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-used': String(rateLimit),
        'x-ratelimit-reset': String(reset),
        'x-ratelimit-resource': 'core',
      }
      return primaryLimit(headers, 'installation').reply
    }
    case 'secondary_limit':
      return secondaryLimit(failure.status ?? 403, failure.retry_after ?? 60).reply
    default:
      return undefined
  }
}

function statusReply(status: number, message = texts[status]): Reply {
  // The proxy of a service that is down returns pages.
  if (message === undefined) {
    const page = `<!DOCTYPE html>\n<html><body><h1>${status}</h1></body></html>\n`
    return { status, body: page, headers: { 'content-type': 'text/html; charset=utf-8' } }
  }
  return new Refusal({ status, message }).reply
}
