import type { Listings, UserToken } from '../../codehost/codehost.ts'
import type { Context } from '../context.ts'

/** A sync of a user that is in progress. */
export interface UserSync {
  ctx: Context
  listings: Listings
  /** The user's id in the database. */
  user_id: number
  as: UserToken
}
