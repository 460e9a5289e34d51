import type { HttpContext } from './context.ts'

/**
 * Where clients ask whose a token for `POST /auth/codehost` is. Without an app that is a token of ours,
 * which no one else is to see, and V3 says whose it is at the same path as the code host.
 */
export function codehostApi({ site, codehosts }: Pick<HttpContext, 'site' | 'codehosts'>): string {
  return codehosts.codehost ? site.codehost.api_url : `${site.url}/v3`
}
