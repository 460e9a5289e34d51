import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/** A route as it is mounted: `GET`, `/repo/:repository/branches`, `v3`. Patterns are left out. */
export interface Route {
  method: string
  path: string
  generation: string | undefined
}

/** The path of a route without what its parameters must match. */
export function withoutPatterns(path: string): string {
  return path.replaceAll(/\(\^.*?\$\)/g, '')
}

/** Creates a server and returns it with every route that its router was given, HEAD left out. */
export async function withRoutes<T>(
  create: () => Promise<T>,
): Promise<{ server: T; routes: Route[] }> {
  const routes: Route[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, constraints }) => {
      const generation = constraints?.['generation'] as string | undefined
      const path = withoutPatterns(url)
      for (const each of [method].flat()) {
        if (each !== 'HEAD') routes.push({ method: each, path, generation })
      }
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    return { server: await create(), routes }
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
}
