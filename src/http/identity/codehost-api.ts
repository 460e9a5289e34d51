import type { HttpContext } from '../core/context.ts'

/**
 * The API at which clients look up the user of a token for `POST /auth/codehost`. Without an app it is a
 * token of this service, which no one else must see, and V3 shows its user at the code host's path.
 */
export function codehostApi({ site, codehosts }: Pick<HttpContext, 'site' | 'codehosts'>): string {
  return codehosts.codehost ? site.codehost.api_url : `${site.url}/v3`
}
