import type { Endpoint } from '../endpoint.ts'
import type { DocumentedParameter, OpenApi, Operation } from './operation.ts'

/** The operations of endpoints by path and method, sorted by path. */
export function pathsOf<T>(
  all: readonly T[],
  endpointOf: (each: T) => Endpoint,
  operationOf: (each: T, path: string, variant: number) => Operation,
): OpenApi['paths'] {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const each of all) {
    const { method, paths: written } = endpointOf(each)
    for (const [variant, path] of written.map(documentedPath).entries()) {
      const operations = (paths[path] ??= {})
      operations[method.toLowerCase()] = operationOf(each, path, variant)
    }
  }
  return Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * A path of the router as OpenAPI writes it: `/repos/{id}/branches/{branch}`. Only a branch is all that
 * follows in a path.
 */
function documentedPath(path: string): string {
  return path
    .replaceAll(/\(\^.*?\$\)/g, '')
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace(/\*$/, '{branch}')
}

/** The parameters of such a path, with what is known of each. */
export function pathParameters(
  path: string,
  describe: (name: string) => Pick<DocumentedParameter, 'description' | 'example'>,
): DocumentedParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describe(name),
    schema: { type: 'string' },
  }))
}
