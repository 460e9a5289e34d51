import type { Git } from '../../../src/codehost/local/git.ts'
import type { Account, Permissions, Tables } from './tables.ts'

/** The app as it is registered. */
export interface App {
  id: number
  slug: string
  name: string
  clientId: string
  clientSecret: string
  /** PEM, as the code host hands it out. */
  privateKey: string
  publicKey: string
  webhookSecret: string
  /** Where browsers may be sent after signing in. */
  callbackUrls: readonly string[]
  /** What it is granted where it is installed. */
  permissions: Permissions
  /** The events that it subscribes to. */
  events: readonly string[]
  owner: Account
  /** In whose name it acts. */
  bot: Account
  created_at: Date
}

/** All that the fake code host is made of. */
export interface World {
  /** Where people and git go. */
  url: string
  /** Where programs go. */
  apiUrl: string
  /** Of the git repositories. */
  folder: string
  git: Git
  now(): Date
  tables: Tables
  app: App
  /** The app's webhook URL; nothing is delivered while it is undefined. */
  webhookUrl: string | undefined
  /** How many calls report a new merge commit as being created before it is there. */
  readsUntilMerged: number
  /** Calls that each caller may make in an hour. */
  rateLimit: number
  /** The status with which calls with tokens of installations are refused; undefined for none. */
  refusesTokens: number | undefined
  /** Who sits at the browser, signed in. */
  browser: Account | undefined
  /** Who let the app act for them. */
  authorized: Set<Account>
}
