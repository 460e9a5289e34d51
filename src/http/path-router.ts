import Router from 'find-my-way'
import type { Endpoint } from './endpoint.ts'

export interface PathRouter {
  /** Whether a path of the table matches this URL. */
  knows(url: string): boolean
}

/** Matches URLs against a list of paths, whatever the method. */
export function pathRouter(paths: readonly string[]): PathRouter {
  const router = Router({ maxParamLength: 1024 })
  for (const path of new Set(paths)) router.on('GET', path, () => {})
  return { knows: (url) => router.find('GET', url.split('?')[0] ?? '/') !== null }
}

/** Tells which methods have an endpoint at a URL: none if its path is unknown. */
export function methodsAt(
  endpoints: readonly Pick<Endpoint, 'method' | 'paths'>[],
): (url: string) => string[] {
  const methods = [...new Set(endpoints.map(({ method }) => method))]
  const routers = methods.map((method) => {
    const own = endpoints.filter((endpoint) => endpoint.method === method)
    const { knows } = pathRouter(own.flatMap(({ paths }) => paths))
    // Every GET handles HEAD as well.
    return { names: method === 'GET' ? ['GET', 'HEAD'] : [method], knows }
  })
  return (url) => routers.flatMap(({ names, knows }) => (knows(url) ? names : []))
}
