import type { IncomingMessage } from 'node:http'
import { versionOf } from '../v2/accept.ts'
import { markByPath } from '../v3/core/href.ts'
import { apiGeneration } from './generation.ts'

/**
 * The path that the router sees: without the installation's prefix; without `/v3`, which selects the
 * generation like the header; in V2.1 without a trailing slash, which its client always sends, and
 * without `.json`, which is equivalent to an `Accept` header.
 */
export function rewrite(request: Pick<IncomingMessage, 'url' | 'headers'>, prefix: string): string {
  const url = withoutPrefix(request.url ?? '/', prefix)
  if (url.startsWith('/v3/')) {
    markByPath(request as IncomingMessage)
    request.headers['service-api-version'] = '3'
    return url.slice('/v3'.length)
  }
  return apiGeneration(request) === 'v2' ? withoutSuffix(request, withoutTrailingSlash(url)) : url
}

/** A path without the installation's prefix. */
export function withoutPrefix(url: string, prefix: string): string {
  if (prefix === '' || !url.startsWith(prefix)) return url
  const rest = url.slice(prefix.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/^(\/[^?]*[^/?])\/+(?=$|\?)/, '$1')
}

function withoutSuffix({ headers }: Pick<IncomingMessage, 'headers'>, url: string): string {
  const path = withoutJsonSuffix(url)
  if (path === undefined) return url
  headers.accept = `application/vnd.service.${versionOf(headers)}+json`
  return path
}

const id = String.raw`/\d+`
const uuid = '/[0-9a-fA-F]+(?:-[0-9a-fA-F]+)+'
const collections = 'accounts|branches|broadcasts|builds|hooks|jobs|logs|repos|requests|users'
/** A repository by its id, or by its slug. */
const repository = String.raw`/repos/(?:\d+|[^/?]+%2[fF][^/?]+|[^/?]+/[^/?]+)`

/**
 * Patterns of the paths of collections and of records in them by id. Paths that end in the name of a
 * repository or branch are not among them, because such a name can end in `.json`.
 */
const paths = [
  `/(?:${collections})(?:${id})?`,
  '/users/permissions',
  `${repository}/(?:branches|builds(?:${id})?|caches|key|settings)`,
  `(?:/repos)?/settings/env_vars(?:${uuid})?`,
  `/settings/ssh_key${id}`,
]

const withSuffix = new RegExp(String.raw`^(${paths.join('|')})\.json(?=$|\?)`)

/** The URL without `.json`, if its path ends in it and does not end in a name; undefined otherwise. */
function withoutJsonSuffix(url: string): string | undefined {
  return withSuffix.test(url) ? url.replace(withSuffix, '$1') : undefined
}
