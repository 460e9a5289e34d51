import type { IncomingMessage } from 'node:http'
import { apiGeneration } from './generation.ts'
import { versionOf } from './v2/accept.ts'
import { withoutJsonSuffix } from './v2/json-suffix.ts'
import { markByPath } from './v3/href.ts'

/**
 * The path that the router sees: without the installation's prefix; without `/v3`, which selects the
 * generation like the header does; in V2.1 without a trailing slash, which its client always sends,
 * and without `.json`, which stands for an `Accept` header.
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

function withoutPrefix(url: string, prefix: string): string {
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
