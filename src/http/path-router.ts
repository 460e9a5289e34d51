import Router from 'find-my-way'

export interface PathRouter {
  /** Whether some path of the table fits this URL. */
  knows(url: string): boolean
}

/** Tells whether a URL is one of the given paths, whatever is done with it. */
export function pathRouter(paths: readonly string[]): PathRouter {
  const router = Router({ maxParamLength: 1024 })
  for (const path of new Set(paths)) router.on('GET', path, () => {})
  return { knows: (url) => router.find('GET', url.split('?')[0] ?? '/') !== null }
}
