import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '../endpoint.ts'
import { pathRouter } from '../path-router.ts'

/** First segments that belong to the API, or will: `/repos/5` is never the page of an owner. */
const reserved = new Set([
  ...['accounts', 'api', 'assets', 'auth', 'branches', 'broadcasts', 'build', 'builds', 'config'],
  ...['cron', 'docs', 'hooks', 'installation', 'job', 'jobs', 'lint', 'log', 'logout', 'logs'],
  ...['org', 'orgs', 'owner', 'preference', 'preferences', 'repo', 'repos', 'request', 'requests'],
  ...['schema', 'settings', 'stage', 'streaming', 'uptime', 'user', 'users', 'v3', 'webhooks'],
])

export interface PageRouter {
  /** Whether there is a page, so that a browser gets it there and the API elsewhere. */
  hasPage(request: Pick<IncomingMessage, 'method' | 'url'>): boolean
}

/** Knows the addresses of pages. Below what is reserved only those that are named in full. */
export function pageRouter(pages: readonly Endpoint[]): PageRouter {
  const get = knowerOf(pages.filter(({ method }) => method === 'GET'))
  const post = knowerOf(pages.filter(({ method }) => method === 'POST'))
  return {
    hasPage({ method, url = '/' }) {
      if (method === 'POST') return post(url)
      return (method === 'GET' || method === 'HEAD') && get(url)
    },
  }
}

function knowerOf(pages: readonly Endpoint[]): (url: string) => boolean {
  const paths = pages.flatMap(({ paths }) => paths)
  const own = pathRouter(paths.filter(isReserved))
  const others = pathRouter(paths.filter((path) => !isReserved(path)))
  return (url) => (isReserved(url) ? own : others).knows(url)
}

function isReserved(url: string): boolean {
  return reserved.has(url.split(/[/?]/)[1] ?? '')
}
