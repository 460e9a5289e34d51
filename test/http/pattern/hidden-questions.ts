import type { Endpoint } from '../../../src/http/endpoint.ts'
import { exampleOf } from '../../../src/http/openapi/example.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v3Actions } from '../../../src/http/v3/endpoints.ts'
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

/** Variables of V3's templates that name what is never hidden. */
export const publicNames: Readonly<Record<string, string>> = {
  provider: 'codehost',
  'user.id': '1',
  // What an owner has is hidden from all but its admins: its own tests ask for it.
  'account_env_var.id': '00000000-0000-4000-8000-000000000001',
  'organization.id': '1',
  'installation.codehost_id': '1',
  login: 'acme',
  codehost_id: '1',
  'preference.name': 'build_emails',
  'setting.name': 'build_pushes',
  'preview.word': 'preview',
}

function pairOf(pairs: Hidden['pairs'], name: string): Pair {
  const [type = '', key = ''] = name.split('.')
  const found = pairs[key in pairs ? key : type]
  const text = publicNames[name] ?? 'none'
  return found ?? [text, text]
}

export const namesIn = (template: string) =>
  [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)

/** By every path of V3. */
export function questionsOfV3({ pairs, asked }: Hidden): Question[] {
  return v3Actions.flatMap(({ templates, endpoint }) =>
    templates
      .map((template) => [template, `${endpoint.method} ${template}`] as const)
      .filter(([, of]) => asked?.test(of) ?? true)
      .flatMap(([template, of]) =>
        questionOf(of, (value) => {
          const values = namesIn(template).map((name) => [name, value(pairOf(pairs, name))])
          const path = expand(template, Object.fromEntries(values) as Record<string, string>)
          return { call: `${endpoint.method} ${path}`, ...bodyFor(endpoint) }
        }),
      ),
  )
}

/** What the variables of V2.1's paths name. */
const variablesOfV2: Readonly<Record<string, string>> = { id: 'repository', hook: 'repository' }

/** The parameters of V2.1 by which something is named, and what they name. */
export const selectors: Readonly<Record<string, string>> = {
  repository_id: 'repository',
  slug: 'slug',
  'hook.id': 'repository',
  id: 'repository',
  build_id: 'build',
  job_id: 'job',
}

function pathsOfV2(endpoint: Endpoint, value: (name: string) => string): string[] {
  return endpoint.paths.map((path) =>
    path.replaceAll(/:(\w+)(?:\(\^.*?\$\))?|\*/g, (whole, name: string) => {
      if (whole === '*') return value('branch')
      if (name === 'owner' || name === 'name') {
        return value('slug').split('/')[name === 'owner' ? 0 : 1] ?? ''
      }
      return name === 'user' ? '1' : value(variablesOfV2[name] ?? name)
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
