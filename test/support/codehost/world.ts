import type { Git } from '../../../src/codehost/local/git.ts'
import type { Members } from './body.ts'
import type { Parcel } from './deliveries.ts'
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

export interface PullQuirks {
  /** While it is not known whether a pull request can be merged. */
  unsettledState?: string
  /** Whether the field `merge_commit_sha` is left out, as by later versions of the interface. */
  withoutMergeCommit?: boolean
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
  /** What calls about pull requests say otherwise than they should. */
  pullQuirks: PullQuirks
  /** Entries in a page of a list, however many a call asks for. */
  mostPerPage: number
  /** Webhooks that are sent later; undefined while they are sent at once. */
  held: Parcel[] | undefined
  /** The status with which calls with tokens of installations are refused; undefined for none. */
  refusesTokens: number | undefined
  /** Who sits at the browser, signed in. */
  browser: Account | undefined
  /** Who let the app act for them. */
  authorized: Set<Account>
  /** What is to be registered, by the codes that each is fetched with. */
  manifests: Map<string, Members>
}
