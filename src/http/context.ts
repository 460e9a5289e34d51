import type { SchemaFiles } from '../buildfile/schema/document.ts'
import type { TrustProxy } from '../config/trust-proxy.ts'
import type { AppManifest, NewApp } from '../domain/registered-app.ts'
import type { Readiness } from '../domain/readiness.ts'
import type { Repository } from '../domain/repository.ts'
import type { Context } from '../flow/context.ts'
import type { QueueCounts } from '../queue/queues.ts'
import type { NewDelivery } from '../store/deliveries.ts'
import type { Budget } from './lint/budget.ts'
import type { Rates } from './rates.ts'

/** What the HTTP door needs besides what the verbs need. */
export interface HttpContext extends Context {
  site: Site
  intake: Intake
  /** What is wrong with the way in which changes of a repository get here, a sentence each. */
  noticesOf(repository: Repository): Promise<string[]>
  /** What each address can still ask of the linter, by whichever door. */
  lintBudget: Budget
  /** How often callers have called the endpoints that limit it. */
  rates: Rates
  /** The schema of build files. Read from disk on first use. */
  schemaFiles: () => SchemaFiles
  /** How many entries each queue has. */
  queueCounts: () => Promise<QueueCounts[]>
  /** Looks at all that the service needs for its work. */
  readiness: () => Promise<Readiness>
  /** Absent where the settings name an app. */
  registration?: Registration
}

/** How an app is registered from here, as long as there is none. */
export interface Registration {
  /** Whoever knows it can read the log of the service, and so may do it. */
  code: string
  /** What the code host is asked for; undefined where it could not reach the service. */
  manifest(): AppManifest | undefined
  /** What the code host has made of it. */
  convert(code: string): Promise<NewApp>
  /** From now on the service is this app. */
  adopt(app: NewApp): Promise<void>
}

/** How the installation is reached, and what it reports about itself. */
export interface Site {
  /** Public address, without a slash at the end. */
  url: string
  /** Path that all paths begin with: empty, or like `/ci`. */
  prefix: string
  version: string
  /** Whose forwarded addresses are believed. */
  trustProxy: TrustProxy
  /** Whether every caller has to log in. */
  forceAuthentication: boolean
  /** Whether all calls of the API are limited, not just those that are costly. */
  rateLimits: boolean
  /** Who administers the installation, as `provider:login` in lower case. */
  admins: readonly string[]
  /** Whether public things are shown to everyone. */
  publicMode: boolean
  codehost: { api_url: string; web_url: string; scopes: readonly string[] }
  login: {
    /** Besides our own, the origins that a login can be handed over to. */
    origins: readonly string[]
    /** Whether it can be handed over to programs on the user's machine as well. */
    loopback: boolean
    /** The settings that logins through the app need and that are not set. */
    missing: readonly string[]
  }
  streaming: {
    key: string
    host: string
    port: number
    path: string
    scheme: 'http' | 'https'
    private: boolean
  }
}

export interface Intake {
  /**
   * The secrets that each provider may sign its webhooks with; one without a secret is not set up. This
   * machine signs with one for each master key, the first of which can differ between processes.
   */
  secrets: Readonly<Record<'codehost' | 'local', readonly string[]>>
  /** Stores a webhook and enqueues it for processing. False when it is already stored. */
  accept(delivery: NewDelivery): Promise<boolean>
  /** Absent where no repositories of this machine are served. */
  changes?: LocalChanges
}

/** Changes of this machine's repositories, as its commands and git hooks report them. */
export interface LocalChanges {
  /** What they identify themselves with. */
  token: string
  /** Delivers what has changed, and returns how many events; undefined if it is not registered. */
  report(folder: string): Promise<number | undefined>
}
