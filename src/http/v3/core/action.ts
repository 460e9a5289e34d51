import { hasScope } from '../../../access/scopes.ts'
import { lacksScope } from '../../../domain/errors.ts'
import {
  del as delEndpoint,
  type Endpoint,
  get as getEndpoint,
  type OpenSteps,
  patch as patchEndpoint,
  post as postEndpoint,
  type RecordSteps,
} from '../../core/endpoint.ts'
import type { Parameters } from '../../parameters/parameter.ts'
import { readInclude } from '../render/include.ts'
import type { Presenter, Shown } from './presented.ts'

/** An action on a resource. */
export interface Action {
  /** The type of resource that the home document lists it under. */
  resource: string
  name: string
  /** The variants of its path, as the home document lists them. */
  templates: readonly string[]
  endpoint: Endpoint
}

type UnnamedAction = Omit<Action, 'resource' | 'name'>

type Shows = Pick<Presenter<never>, 'shows' | 'status'>

const shown = new WeakMap<Endpoint, Shows>()

/** The resources and collections that an endpoint of V3 shows, as far as known before a call. */
export function shownBy(endpoint: Endpoint): readonly Shown[] {
  return shown.get(endpoint)?.shows ?? []
}

/** The status of its successful responses. */
export function statusOf(endpoint: Endpoint): number {
  return endpoint.declared.status ?? shown.get(endpoint)?.status ?? 200
}

function maker(makeEndpoint: typeof getEndpoint) {
  return function make<
    R,
    Rights extends { read: boolean },
    A = R,
    P = undefined,
    G extends Parameters = Parameters,
  >(
    templates: string | readonly string[],
    steps: (RecordSteps<R, Rights, A, P, G> & { present: Shows }) | (OpenSteps<G> & Partial<Shows>),
  ): UnnamedAction {
    const all = typeof templates === 'string' ? [templates] : templates
    const check: OpenSteps['check'] = (call) => {
      const include = readInclude(call.given.include)
      // Includes are reads: a token without the scope `read` can only see the records that it has changed.
      if (include.size > 0 && !hasScope(call.viewer, 'read')) throw lacksScope('read')
      steps.check?.(call)
    }
    const { shows = [], status } = 'present' in steps ? steps.present : steps
    const { docs = {} } = steps
    // Documents have limited room for records and text.
    const fails = [...(docs.fails ?? []), ...(shows.length > 0 ? (['too_costly'] as const) : [])]
    const described = { ...steps, check, docs: { ...docs, fails } }
    const endpoint = makeEndpoint(routesOf(all), described)
    shown.set(endpoint, { shows, ...(status && { status }) })
    return { templates: all, endpoint }
  }
}

export const get = maker(getEndpoint)
export const post = maker(postEndpoint)
export const patch = maker(patchEndpoint)
export const del = maker(delEndpoint)

/** The actions of a resource, by the names that the home document uses. */
export function actionsOf(
  { type }: { type: string },
  named: Readonly<Record<string, UnnamedAction>>,
): Action[] {
  return Object.entries(named).map(([name, action]) => ({ resource: type, name, ...action }))
}

/** Patterns of a template's expressions in a path; any other path is unknown. */
const patterns: Readonly<Record<string, string>> = {
  id: String.raw`\d+`,
  codehost_id: String.raw`\d+`,
  // Same pattern as a provider's, so that paths below an owner take precedence over a login.
  login: '.+',
  'env_var.id': '[^/]+',
  'account_env_var.id': '[^/]+',
  slug: '[^/]+/[^/]+',
  'preview.word': '[^/]*[^/0-9][^/]*',
  provider: '.+',
}

const expression = /\{(\w+)(?:\.(\w+))?\}/g

/** The names of the expressions of a template: `repository.id`, `provider`. */
export function expressionsIn(template: string): string[] {
  return [...template.matchAll(expression)].map(([whole]) => whole.slice(1, -1))
}

/**
 * The templates as the router writes them: `/repo/{repository.id}` is `/repo/:repository(^(?:\d+)$)`.
 * Templates that differ only in how they name a record are one route, because the router cannot tell
 * them apart.
 */
function routesOf(templates: readonly string[]): string[] {
  const keys = new Map<string, Set<string>>()
  for (const [, type = '', key = type] of templates.join().matchAll(expression)) {
    keys.set(type, (keys.get(type) ?? new Set()).add(key))
  }
  const routes = templates.map((template) =>
    template.replaceAll(expression, (_all, type: string) => {
      const known = [...(keys.get(type) ?? [])].flatMap(
        (key) => patterns[`${type}.${key}`] ?? patterns[key] ?? [],
      )
      return known.length === 0 ? `:${type}` : `:${type}(^(?:${known.join('|')})$)`
    }),
  )
  return [...new Set(routes)]
}
