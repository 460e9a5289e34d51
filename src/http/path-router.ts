import Router from 'find-my-way'

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
