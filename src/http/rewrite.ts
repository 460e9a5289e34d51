import type { IncomingMessage } from 'node:http'
import { apiGeneration } from './generation.ts'
import { markByPath } from './v3/href.ts'

/**
 * The path that the router sees: without the installation's prefix; without `/v3`, which chooses the
 * generation like the header does; in V2.1 without a slash at the end, which its client always sends.
 */
export function rewrite(request: Pick<IncomingMessage, 'url' | 'headers'>, prefix: string): string {
  const url = withoutPrefix(request.url ?? '/', prefix)
  if (url.startsWith('/v3/')) {
    markByPath(request as IncomingMessage)
    request.headers['service-api-version'] = '3'
    return url.slice('/v3'.length)
  }
  return apiGeneration(request) === 'v2' ? withoutTrailingSlash(url) : url
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
