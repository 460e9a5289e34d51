import type { IncomingMessage } from 'node:http'
import type { Endpoint, Method } from '../core/endpoint.ts'
import { pathRouter } from '../core/path-router.ts'

/**
 * First segments that cannot be names of owners (D29), because the API uses them or will use them:
 * `/repos/5` is never the page of a repository. The pages add their own first segments.
 */
const reservedForApi = new Set([
  ...['accounts', 'api', 'assets', 'auth', 'branches', 'broadcasts', 'build', 'builds', 'config'],
  ...['cron', 'health', 'hooks', 'installation', 'job', 'jobs', 'lint', 'log', 'logout', 'logs'],
  ...['org', 'orgs', 'owner', 'preference', 'preferences', 'ready', 'repo', 'repos', 'request'],
  ...['requests', 'schema', 'settings', 'stage', 'streaming', 'uptime', 'user', 'users', 'v3'],
  ...['unsubscribe', 'webhooks'],
])

/** Status images, whose names end like files: a browser gets the image, not a page. */
const image = /^\/[^/?]+\/[^/?]+\.(?:svg|png)(?:\?|$)/

export interface PageRouter {
  /** Whether there is a page at this URL; for other URLs a browser gets the API. */
  hasPage(request: Pick<IncomingMessage, 'method' | 'url'>): boolean
}

/** Matches the URLs of pages. Below reserved segments only pages with a literal first segment match. */
export function pageRouter(pages: readonly Endpoint[]): PageRouter {
  const pathsOf = (wanted: Method) =>
    pages.filter(({ method }) => method === wanted).flatMap(({ paths }) => paths)
  const named = pages.flatMap(({ paths }) => paths.map(firstSegment)).filter(isName)
  const reserved = new Set([...reservedForApi, ...named])
  const get = matcherOf(pathsOf('GET'), reserved)
  const post = matcherOf(pathsOf('POST'), reserved)
  return {
    hasPage({ method, url = '/' }) {
      if (method === 'POST') return post(url)
      return (method === 'GET' || method === 'HEAD') && !image.test(url) && get(url)
    },
  }
}

function matcherOf(paths: readonly string[], reserved: ReadonlySet<string>) {
  const isReserved = (url: string) => reserved.has(firstSegment(url))
  const own = pathRouter(paths.filter(isReserved))
  const others = pathRouter(paths.filter((path) => !isReserved(path)))
  return (url: string) => (isReserved(url) ? own : others).knows(url)
}

function isName(segment: string): boolean {
  return segment !== '' && !segment.startsWith(':')
}

function firstSegment(url: string): string {
  return url.split(/[/?]/)[1] ?? ''
}
