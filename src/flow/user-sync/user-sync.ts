import type { Listings, UserToken } from '../../codehost/codehost.ts'
import type { Context } from '../context.ts'

/** A sync of a user that is under way. */
export interface UserSync {
  ctx: Context
  listings: Listings
  /** Here. */
  user_id: number
  as: UserToken
}
