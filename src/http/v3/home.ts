import { json } from '../answer.ts'
import type { Call } from '../endpoint.ts'
import type { Action } from './action.ts'
import { errorTypes } from './errors.ts'
import { hrefOf } from './href.ts'
import { attributesOf } from './resource.ts'
import { registry } from './resources/index.ts'

/** The home document: how to connect, what may go wrong, and what there is. */
export function home({ ctx: { site }, request }: Call, actions: readonly Action[]) {
  const href = (path: string) => hrefOf(site, request, path)
  const { streaming, codehost } = site
  return json({
    '@type': 'home',
    '@href': href('/'),
    config: {
      host: new URL(site.url).host + site.prefix,
      codehost,
      streaming: { ...streaming, secure: streaming.scheme !== 'http' },
    },
    errors: sorted(errorTypes),
    resources: sorted({ ...pseudoResources(href, actions), ...resourcesOf(actions, href) }),
  })
}

/** What has no record behind it, listed so that a client knows every `@type` it may meet. */
function pseudoResources(href: (path: string) => string, actions: readonly Action[]) {
  const here = { '@type': 'template', request_method: 'GET', uri_template: href('/') }
  return {
    error: pseudo(['error_type', 'error_message', 'resource_type', 'permission']),
    home: pseudo(['config', 'errors', 'resources'], { find: [here] }),
    lint: pseudo(['warnings'], actionsOf('lint', actions, href)),
    resource: pseudo(['actions', 'attributes', 'representations', 'access_rights']),
    template: pseudo(['request_method', 'uri_template']),
  }
}

function pseudo(attributes: readonly string[], actions: object = {}) {
  return { '@type': 'resource', actions, attributes }
}

function resourcesOf(actions: readonly Action[], href: (path: string) => string) {
  return Object.fromEntries(
    Object.entries(registry).map(([type, resource]) => [
      type,
      {
        '@type': 'resource',
        actions: actionsOf(type, actions, href),
        attributes: attributesOf(resource),
        representations: resource.representations,
        permissions: resource.permissions,
      },
    ]),
  )
}

function actionsOf(type: string, actions: readonly Action[], href: (path: string) => string) {
  return Object.fromEntries(
    actions
      .filter(({ resource }) => resource === type)
      .map((each) => [each.name, templatesOf(each, href)]),
  )
}

function templatesOf({ templates, params, endpoint }: Action, href: (path: string) => string) {
  const query = params.length > 0 ? `{?${[...params].toSorted().join(',')}}` : ''
  const isRead = endpoint.method === 'GET'
  return templates.map((template) => ({
    '@type': 'template',
    request_method: endpoint.method,
    uri_template: href(template) + (isRead ? query : ''),
    ...(endpoint.method === 'POST' || endpoint.method === 'PATCH'
      ? { accepted_params: params }
      : {}),
  }))
}

function sorted<T>(table: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
