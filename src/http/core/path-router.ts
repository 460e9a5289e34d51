import Router from 'find-my-way'
import type { Endpoint } from './endpoint.ts'

export interface PathRouter {
  /** Whether a path of the table matches this URL. */
  knows(url: string): boolean
}

/** Matches URLs against a list of paths, regardless of the method. The router is built on first use. */
export function pathRouter(paths: readonly string[]): PathRouter {
  let router: ReturnType<typeof routerOf> | undefined
  return {
    knows(url) {
      router ??= routerOf(paths)
      return router.find('GET', url.split('?')[0] ?? '/') !== null
    },
  }
}

function routerOf(paths: readonly string[]) {
  const router = Router({ maxParamLength: 1024 })
  for (const path of new Set(paths)) router.on('GET', path, () => {})
  return router
}

type Routed = Pick<Endpoint, 'method' | 'paths' | 'acts'>

/** The methods under which an endpoint is mounted: every GET that only reads also handles HEAD. */
export function methodsOf({ method, acts }: Omit<Routed, 'paths'>): string[] {
  return method === 'GET' && !acts ? ['GET', 'HEAD'] : [method]
}

/** Lists the methods that have an endpoint at a URL: none if its path is unknown. */
export function methodsAt(endpoints: readonly Routed[]): (url: string) => string[] {
  const methods = [...new Set(endpoints.flatMap(methodsOf))]
  const routers = methods.map((method) => {
    const own = endpoints.filter((endpoint) => methodsOf(endpoint).includes(method))
    return { method, knows: pathRouter(own.flatMap(({ paths }) => paths)).knows }
  })
  return (url) => routers.flatMap(({ method, knows }) => (knows(url) ? [method] : []))
}
