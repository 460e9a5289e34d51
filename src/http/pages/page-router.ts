import type { IncomingMessage } from 'node:http'
import type { Endpoint, Method } from '../endpoint.ts'
import { pathRouter } from '../path-router.ts'

/**
 * First segments that are no names of owners (D29), since the API uses them or will: `/repos/5` is
 * never the page of a repository. Those that pages name themselves come from the pages.
 */
const reservedForApi = new Set([
  ...['accounts', 'api', 'assets', 'auth', 'branches', 'broadcasts', 'build', 'builds', 'config'],
  ...['cron', 'hooks', 'installation', 'job', 'jobs', 'lint', 'log', 'logout', 'logs'],
  ...['org', 'orgs', 'owner', 'preference', 'preferences', 'repo', 'repos', 'request', 'requests'],
  ...['schema', 'settings', 'stage', 'streaming', 'uptime', 'user', 'users', 'v3', 'webhooks'],
])

export interface PageRouter {
  /** Whether there is a page, so that a browser gets it there and the API elsewhere. */
  hasPage(request: Pick<IncomingMessage, 'method' | 'url'>): boolean
}

/** Knows the addresses of pages. Below what is reserved only those that are named in full. */
export function pageRouter(pages: readonly Endpoint[]): PageRouter {
  const pathsOf = (wanted: Method) =>
    pages.filter(({ method }) => method === wanted).flatMap(({ paths }) => paths)
  const named = pages.flatMap(({ paths }) => paths.map(firstSegment)).filter(isName)
  const reserved = new Set([...reservedForApi, ...named])
  const get = knowerOf(pathsOf('GET'), reserved)
  const post = knowerOf(pathsOf('POST'), reserved)
  return {
    hasPage({ method, url = '/' }) {
      if (method === 'POST') return post(url)
      return (method === 'GET' || method === 'HEAD') && get(url)
    },
  }
}

function knowerOf(paths: readonly string[], reserved: ReadonlySet<string>) {
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
