export type OwnerType = 'User' | 'Organization'

/** The code hosts that a record may come from: the installed app's, or this machine. */
export type Provider = 'codehost' | 'local'

export interface User {
  id: number
  provider: Provider
  codehost_id: number | null
  login: string
  name: string | null
  email: string | null
  avatar_url: string | null
  locale: string | null
  is_syncing: boolean
  sync_started_at: Date | null
  synced_at: Date | null
  /** When the code host refused the user's token, if no newer token has followed. */
  codehost_refused_at: Date | null
  first_logged_in_at: Date | null
  last_activity_at: Date | null
  blocked_at: Date | null
  build_emails: boolean
  created_at: Date
  updated_at: Date
}

/** The login of a user that a token acts as. No code host has users with brackets in their logins. */
export const loginOfToken = (tokenId: number) => `token-${tokenId}[bot]`

/**
 * Whether this user belongs to a token, not to a person; `tokenUser` (store/tokens/token-grants.ts) is the
 * SQL.
 */
export function isOfToken({ codehost_id, login }: Pick<User, 'codehost_id' | 'login'>): boolean {
  return codehost_id === null && /^token-\d+\[bot\]$/.test(login)
}

export interface Organization {
  id: number
  provider: Provider
  codehost_id: number | null
  login: string
  name: string | null
  avatar_url: string | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface OwnerRef {
  owner_id: number
  owner_type: OwnerType
}
