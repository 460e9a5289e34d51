import type { Endpoint } from '../../../src/http/core/endpoint.ts'
import { exampleOf } from '../../../src/http/openapi/example.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v3Actions } from '../../../src/http/v3/endpoints.ts'
import { withoutPatterns } from '../../support/routes.ts'
import { callsOf, endpointsOf } from '../endpoints.ts'
import { wordsIn, type Words } from '../endpoints/paths.ts'
import { expand } from '../v3/hypermedia.ts'
import type { Hidden, Pair } from './hidden-records.ts'

interface Asked {
  /** `GET /repo/2`. */
  call: string
  body?: string
}

/** What is asked of something hidden and of something missing, and the words that differ. */
export interface Question {
  /** The call as it is documented, `GET /repo/{repository.id}`. */
  of: string
  asked: readonly [Asked, Asked]
  given: readonly [string[], string[]]
}

/** Makes both calls at once; nothing to ask where the two would be the same call. */
function questionOf(
  of: string,
  ask: (value: (pair: Pair) => string) => Asked | undefined,
): Question[] {
  const given: [string[], string[]] = [[], []]
  const side = (index: 0 | 1) =>
    ask((pair) => {
      given[index].push(pair[index])
      return pair[index]
    })
  const [one, other] = [side(0), side(1)]
  if (!one || !other || (one.call === other.call && one.body === other.body)) return []
  return [{ of, asked: [one, other], given }]
}

const writes = ({ method }: Endpoint) => method !== 'GET' && method !== 'DELETE'

/** Something that the parameters of a write can be, but for those that name what it is about. */
function bodyFor(endpoint: Endpoint): { body?: string } {
  if (!writes(endpoint)) return {}
  const values = Object.entries(endpoint.accepts)
    .filter(([name]) => !(name in selectors))
    .map(([name, { schema }]) => [name, exampleOf(schema, {})])
  return { body: JSON.stringify(Object.fromEntries(values)) }
}

/** The pair of a variable of a template; what is never hidden is the same for both. */
function pairOf(pairs: Hidden['pairs'], name: string, words: Words): Pair {
  const [type = '', key = ''] = name.split('.')
  const text = words[type]?.replace('{id}', '1') ?? 'none'
  return pairs[key in pairs ? key : type] ?? [text, text]
}

/** The path of a template: `/repo/:repository` for `/repo/{repository.slug}`. */
export const pathOf = (template: string) =>
  withoutPatterns(template.replaceAll(/\{(\w+)[^}]*\}/g, ':$1'))

/** What the table has for the variables of a path. */
function wordsOf(method: string, path: string): Words {
  const endpoint = endpointsOf('v3').find(({ name }) => name === `${method} ${path}`)
  const [call = ''] = endpoint ? callsOf(endpoint) : []
  return wordsIn(path, call) ?? {}
}

const namesIn = (template: string) =>
  [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)

/** By every path of V3. */
export function questionsOfV3({ pairs, asked }: Hidden): Question[] {
  return v3Actions.flatMap(({ templates, endpoint }) =>
    templates
      .map((template) => [template, `${endpoint.method} ${template}`] as const)
      .filter(([, of]) => asked?.test(of) ?? true)
      .flatMap(([template, of]) =>
        questionOf(of, (value) => {
          const words = wordsOf(endpoint.method, pathOf(template))
          const values = namesIn(template).map((name) => [name, value(pairOf(pairs, name, words))])
          const path = expand(template, Object.fromEntries(values) as Record<string, string>)
          return { call: `${endpoint.method} ${path}`, ...bodyFor(endpoint) }
        }),
      ),
  )
}

/** What the variables of V2.1's paths name. */
const variablesOfV2: Readonly<Record<string, string>> = { id: 'repository', hook: 'repository' }

const rows = endpointsOf('v2', 'v3').map(({ row }) => row)

/** The parameters by which something is named, and what they name. */
export const selectors = Object.assign({}, ...rows.map(({ selects }) => selects)) as Readonly<
  Record<string, string>
>

/** Parameters that look as if they named something, and why nothing is asked by them. */
export const otherSelectors = rows.flatMap(({ selectsNothing = {} }) => Object.keys(selectsNothing))

function pathsOfV2(endpoint: Endpoint, value: (name: string) => string): string[] {
  return endpoint.paths.map((path) =>
    path.replaceAll(/:(\w+)(?:\(\^.*?\$\))?|\*/g, (whole, name: string) => {
      if (whole === '*') return value('branch')
      if (name === 'owner' || name === 'name') {
        return value('slug').split('/')[name === 'owner' ? 0 : 1] ?? ''
      }
      return value(variablesOfV2[name] ?? name)
    }),
  )
}

/** By every path of V2.1, and by every parameter that names something. */
export function questionsOfV2({ pairs, asked }: Hidden): Question[] {
  return v2Endpoints.flatMap((endpoint) => {
    const { method, accepts, paths } = endpoint
    const queries = [
      () => '',
      ...Object.keys(accepts)
        .filter((name) => name in selectors)
        .map(
          (name) => (value: (of: string) => string) =>
            `?${name}=${encodeURIComponent(value(selectors[name] ?? ''))}`,
        ),
      ...('ids' in accepts ? ['repository', 'build', 'job'] : []).map(
        (type) => (value: (of: string) => string) => `?ids=${value(type)}`,
      ),
    ]
    return paths
      .flatMap((documented, variant) =>
        queries.flatMap((query) =>
          questionOf(`${method} ${documented}`, (choose) => {
            const value = (name: string) => choose(pairs[name] ?? ['main', 'main'])
            const path = pathsOfV2(endpoint, value)[variant] ?? ''
            return { call: `${method} ${path}${query(value)}`, ...bodyFor(endpoint) }
          }),
        ),
      )
      .filter(({ of }) => asked?.test(of) ?? true)
  })
}
