import { atThisMachine } from '../access/administration.ts'
import type { Config } from '../config/config.ts'
import type { Site } from '../http/core/context.ts'
import { isLoopback } from '../http/identity/allowed-target.ts'
import { readVersion } from './version.ts'

/** The scopes that the service needs at the code host, by their names in its API. */
const scopes = ['read:org', 'user:email', 'repo_deployment', 'repo:status', 'write:repo_hook']

/** The addresses of the installation, once its port is known. */
export function siteOf(config: Config, port: number): Site {
  const url = (config.publicUrl ?? `http://${hostIn(config.host)}:${port}`).replace(/\/+$/, '')
  const { hostname, pathname } = new URL(url)
  return {
    url,
    version: readVersion(),
    trustProxy: config.trustProxy,
    forceAuthentication: config.forceAuthentication,
    publicMode: config.publicMode,
    rateLimits: config.rateLimits,
    admins: [atThisMachine, ...config.admins],
    prefix: pathname === '/' ? '' : pathname,
    codehost: codehostSite(config),
    login: loginSite(config, hostname),
  }
}

/** The address of the service for programs on this machine. */
export function localUrlOf(config: Config, port: number, { prefix }: Site): string {
  return `http://${hostIn(config.host)}:${port}${prefix}`
}

/** An IPv6 address is written in brackets; `0.0.0.0` cannot be opened in a browser. */
function hostIn(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Where a login may redirect to. Programs on the user's machine only if the service runs on it, too. */
function loginSite(
  { appId, host, allowedOrigins, clientId, clientSecret }: Config,
  hostname: string,
): Site['login'] {
  const needed = { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret }
  return {
    origins: allowedOrigins,
    loopback: appId === undefined && isLoopback(host) && isLoopback(hostname),
    missing: Object.entries(needed).flatMap(([name, value]) => (value === undefined ? name : [])),
  }
}

/** The code host where the app is registered. */
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
