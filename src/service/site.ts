import type { Config } from '../config/config.ts'
import type { Site } from '../http/context.ts'
import type { Sealer } from '../secrets/seal.ts'
import { version } from './version.ts'

/** What the service needs to be allowed to do at the code host, as the interface names it. */
const scopes = ['read:org', 'user:email', 'repo_deployment', 'repo:status', 'write:repo_hook']

/** How the installation is reached, once it is known which port it got. */
export function siteOf(config: Config, sealer: Sealer, port: number): Site {
  const url = (config.publicUrl ?? `http://${hostIn(config.host)}:${port}`).replace(/\/+$/, '')
  const { hostname, port: publicPort, pathname, protocol } = new URL(url)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return {
    url,
    version,
    prefix: pathname === '/' ? '' : pathname,
    codehost: codehostSite(config),
    streaming: {
      key: sealer.derive('streaming key').slice(0, 20),
      host: hostname,
      port: Number(publicPort) || (scheme === 'https' ? 443 : 80),
      path: pathname === '/' ? '' : pathname,
      scheme,
      private: true,
    },
  }
}

/** Where programs of this machine reach the service. */
export function localUrlOf(config: Config, port: number, { prefix }: Site): string {
  return `http://${hostIn(config.host)}:${port}${prefix}`
}

/** An IPv6 address stands in brackets; `0.0.0.0` is no address to open in a browser. */
function hostIn(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Where the app is registered. */
export function codehostSite({
  gheHost,
  gheProtocol,
}: Pick<Config, 'gheHost' | 'gheProtocol'>): Site['codehost'] {
  if (gheHost === undefined) {
    return { api_url: 'https://api.github.com', web_url: 'https://github.com', scopes }
  }
  const web_url = `${gheProtocol}://${gheHost}`
  return { api_url: `${web_url}/api/v3`, web_url, scopes }
}
