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

type Routed = Pick<Endpoint, 'method' | 'paths' | 'acts'>

/** The methods under which an endpoint is mounted: every GET that only reads handles HEAD as well. */
export function methodsOf({ method, acts }: Omit<Routed, 'paths'>): string[] {
  return method === 'GET' && !acts ? ['GET', 'HEAD'] : [method]
}

/** Tells which methods have an endpoint at a URL: none if its path is unknown. */
export function methodsAt(endpoints: readonly Routed[]): (url: string) => string[] {
  const methods = [...new Set(endpoints.flatMap(methodsOf))]
  const routers = methods.map((method) => {
    const own = endpoints.filter((endpoint) => methodsOf(endpoint).includes(method))
    return { method, knows: pathRouter(own.flatMap(({ paths }) => paths)).knows }
  })
  return (url) => routers.flatMap(({ method, knows }) => (knows(url) ? [method] : []))
}
