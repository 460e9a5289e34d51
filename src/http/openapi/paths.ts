import type { Method } from '../core/endpoint.ts'
import { mergedOperation } from './merge.ts'
import type { DocumentedParameter, OpenApi, Operation } from './operation.ts'
import { type JsonSchema, text } from './schema.ts'

/** An item to document at these paths, in OpenAPI's notation. */
interface Mounted<T> {
  of: T
  method: Method
  paths: readonly string[]
}

/**
 * Operations by path and method, sorted by path. OpenAPI treats paths that differ only in the names of
 * variables as one: `/repos/{id}` and `/repos/{owner}` are `/repos/{id_or_owner}`, with one operation
 * for each method.
 */
export function pathsOf<T>(
  mounted: readonly Mounted<T>[],
  operationOf: (each: T, path: string, variant: number) => Operation,
): OpenApi['paths'] {
  const sharedPath = sharing(mounted.flatMap(({ paths }) => paths))
  const documented: Record<string, Record<string, Operation>> = {}
  for (const { of, method, paths } of mounted) {
    for (const [variant, own] of paths.entries()) {
      const path = sharedPath(own)
      const operations = (documented[path] ??= {})
      const name = method.toLowerCase()
      const operation = operationOf(of, path, variant)
      const known = operations[name]
      operations[name] = known ? mergedOperation(known, operation) : operation
    }
  }
  return Object.fromEntries(Object.entries(documented).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const variable = /\{(\w+)\}/g
const or = '_or_'

/** Gives paths that OpenAPI treats as one the same variables, named after all of their names. */
function sharing(paths: readonly string[]): (path: string) => string {
  const names = new Map<string, Set<string>[]>()
  for (const path of paths) {
    const shape = shapeOf(path)
    const places = names.get(shape) ?? variablesIn(path).map(() => new Set<string>())
    for (const [index, name] of variablesIn(path).entries()) places[index]?.add(name)
    names.set(shape, places)
  }
  return (path) => {
    const places = [...(names.get(shapeOf(path)) ?? [])]
    return path.replaceAll(variable, () => `{${[...(places.shift() ?? [])].join(or)}}`)
  }
}

const shapeOf = (path: string) => path.replaceAll(variable, '{}')

const variablesIn = (path: string) => [...path.matchAll(variable)].map(([, name = '']) => name)

/**
 * A path of the router in OpenAPI's notation: `/repos/{id}/branches/{branch}`. A trailing `*` is always
 * a branch.
 */
export function documentedPath(path: string): string {
  return path
    .replaceAll(/\(\^.*?\$\)/g, '')
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace(/\*$/, '{branch}')
}

type Known = Pick<DocumentedParameter, 'description' | 'example'> & { schema?: JsonSchema }

/** The parameters of a documented path, with the description of each name. */
export function pathParameters(
  path: string,
  describe: (name: string) => Known,
): DocumentedParameter[] {
  return variablesIn(path).map((name) => {
    const [first = {}, ...others] = name.split(or).map(describe)
    const all = [first, ...others]
    const description = all.flatMap((each) => each.description ?? []).join(', or ')
    return {
      name,
      in: 'path',
      required: true,
      ...(description === '' ? {} : { description }),
      ...(first.example === undefined ? {} : { example: first.example }),
      schema: (others.length === 0 ? first.schema : undefined) ?? text,
    }
  })
}
