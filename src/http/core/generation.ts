import type { IncomingMessage } from 'node:http'
import { parseAccept } from '../v2/accept.ts'

/** The two generations of the API, and the pages for people (D29). */
export type Generation = 'v2' | 'v3' | 'page'

type Request = Pick<IncomingMessage, 'headers' | 'url' | 'method'>

/** The generation of the API that a request selects. The version header overrides `Accept` (D23). */
export function apiGeneration({ headers }: Pick<Request, 'headers'>): 'v2' | 'v3' {
  const version = headers['service-api-version']
  if (version !== undefined) return version === '3' ? 'v3' : 'v2'
  return headers.accept?.includes('application/vnd.service.3+') ? 'v3' : 'v2'
}

const pageTypes = ['text/html', 'application/xhtml+xml']

/** Whether a request prefers a page to the API. */
export function prefersHtml({ headers }: Pick<Request, 'headers'>): boolean {
  if (headers['service-api-version'] !== undefined) return false
  // Most callers are programs: this check spares them the parsing.
  if (!/html/i.test(headers.accept ?? '')) return false
  const [first] = parseAccept(headers.accept)
  return first !== undefined && pageTypes.includes(`${first.type}/${first.subtype}`)
}

/** The constraint by which the router distinguishes the generations on the same paths. */
export function generationConstraint(generationOf: (request: Request) => Generation) {
  return {
    name: 'generation',
    storage() {
      const handlers = new Map<unknown, never>()
      return {
        get: (key: unknown) => handlers.get(key) ?? null,
        set: (key: unknown, handler: never) => void handlers.set(key, handler),
      }
    },
    deriveConstraint: (request: Request) => generationOf(request),
    validate() {},
  }
}
