import { json } from '../core/answer.ts'
import type { Call } from '../core/endpoint.ts'
import { streamingAddress } from '../core/streaming.ts'
import { codehostApi } from '../identity/codehost-api.ts'
import { acceptedNames } from '../parameters/parameter.ts'
import type { Action } from './core/action.ts'
import type { Collection } from './core/collection.ts'
import { errorTypes } from './core/errors.ts'
import { hrefOf } from './core/href.ts'
import { type AnyResource, attributesOf, offeredRepresentations } from './core/resource.ts'
import { ofAccounts } from './records/accounts.ts'
import { actions, alsoListed, collections, registry } from './resources/index.ts'

/** The home document: connection settings, errors and resources. */
export function home({ ctx, request }: Call) {
  const { site } = ctx
  const href = (path: string) => hrefOf(site, request, path)
  const { codehost } = site
  return json({
    '@type': 'home',
    '@href': href('/'),
    config: {
      host: new URL(site.url).host + site.prefix,
      codehost: { ...codehost, api_url: codehostApi(ctx) },
      streaming: streamingAddress(ctx),
    },
    errors: sorted(errorTypes),
    resources: sorted({
      ...pseudoResources(href),
      ...mapped(registry, (resource, type) => resourceEntry(type, resource, href)),
      ...mapped(alsoListed, (resource, name) => resourceEntry(name, resource, href)),
      ...mapped(collections, (collection) => collectionEntry(collection, href)),
    }),
  })
}

type Href = (path: string) => string

/** Types without a record, listed so that a client knows every `@type` it may receive. */
function pseudoResources(href: Href) {
  const here = { '@type': 'template', request_method: 'GET', uri_template: href('/') }
  return {
    access_token: pseudo(['token'], actionsOn('access_token', href)),
    email_subscription: pseudo([], actionsOn('email_subscription', href)),
    error: pseudo(['error_type', 'error_message', 'resource_type', 'permission']),
    home: pseudo(['config', 'errors', 'resources'], { find: [here] }),
    lint: pseudo(['warnings'], actionsOn('lint', href)),
    log_parts: collectionEntry({ type: 'log_parts' }, href),
    owner: pseudo(
      [...ofAccounts.representations.standard, ...ofAccounts.includable],
      actionsOn('owner', href),
    ),
    resource: pseudo(['actions', 'attributes', 'representations', 'access_rights']),
    template: pseudo(['request_method', 'uri_template']),
  }
}

function pseudo(attributes: readonly string[], actions: object = {}) {
  return { '@type': 'resource', actions, attributes }
}

function resourceEntry(name: string, resource: AnyResource, href: Href) {
  return {
    '@type': 'resource',
    actions: actionsOn(name, href),
    attributes: attributesOf(resource),
    representations: Object.fromEntries(
      offeredRepresentations(resource).map((name) => [name, resource.representations[name]]),
    ),
    permissions: resource.permissions,
  }
}

function collectionEntry(
  { type, name = type, representation = 'standard', sort }: Omit<Collection, 'of'>,
  href: Href,
) {
  return {
    '@type': 'resource',
    actions: actionsOn(name, href),
    attributes: [type],
    representations: { [representation]: [type] },
    ...(sort ? { sortable_by: sort.keys } : {}),
    ...(sort?.default ? { default_sort: sort.default.join(',') } : {}),
  }
}

function actionsOn(type: string, href: Href) {
  return Object.fromEntries(
    actions
      .filter(({ resource }) => resource === type)
      .map((action) => [action.name, templatesOf(action, href)]),
  )
}

function templatesOf({ templates, endpoint: { method, accepts } }: Action, href: Href) {
  const listed = Object.fromEntries(Object.entries(accepts).filter(([, { hidden }]) => !hidden))
  const query = `{?${['include', ...acceptedNames(listed)].toSorted().join(',')}}`
  return templates.map((template) => ({
    '@type': 'template',
    request_method: method,
    uri_template: href(template) + (method === 'GET' ? query : ''),
    ...(method === 'POST' || method === 'PATCH' ? { accepted_params: Object.keys(listed) } : {}),
  }))
}

function mapped<T, V>(table: Readonly<Record<string, T>>, value: (entry: T, name: string) => V) {
  const entries = Object.entries(table).map(([name, entry]) => [name, value(entry, name)])
  return Object.fromEntries(entries) as Record<string, V>
}

function sorted<T>(table: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
