import type { SchemaFiles } from '../../buildfile/schema/document.ts'
import type { TrustProxy } from '../../config/trust-proxy.ts'
import type { Commit } from '../../domain/commit/commit.ts'
import type { Readiness } from '../../domain/readiness.ts'
import type { AppManifest, NewApp } from '../../domain/registered-app.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import type { Context } from '../../flow/context.ts'
import type { QueueCounts } from '../../queue/queues.ts'
import type { StreamingApp } from '../../secrets/streaming-signature.ts'
import type { NewDelivery } from '../../store/deliveries/deliveries.ts'
import type { EndedRun } from '../../store/live/measured.ts'
import type { SocketViewer } from '../../store/live/notices.ts'
import type { Rates } from '../identity/rate-limits.ts'
import type { Budget } from '../lint/budget.ts'

/** Context of the HTTP layer, which includes that of the verbs. */
export interface HttpContext extends Context {
  site: Site
  intake: Intake
  /** Problems with how a repository's changes reach the service, a sentence each. */
  noticesOf(repository: Repository): Promise<string[]>
  /** Which statuses and checks of a build do not reach the code host, and why, a sentence each. */
  reportNoticesOf(request: Request, commit: Commit): Promise<string[]>
  /** Linter allowance left for each address, shared by all ways to call the linter. */
  lintBudget: Budget
  /** Counts of callers' calls, for rate-limited endpoints. */
  rates: Rates
  /** The schema of build files. Read from disk on first use. */
  schemaFiles: () => SchemaFiles
  /** The number of entries in each queue. */
  queueCounts: () => Promise<QueueCounts[]>
  /** Checks everything that the service depends on. */
  readiness: () => Promise<Readiness>
  /** Access to metrics; absent if no one can read them with a token. */
  metrics?: { token: string; read: ReadMetrics }
  /** Absent if no events are published. */
  streaming?: Streaming
  /** Absent if the settings name no app. */
  registration?: Registration
}

/** The counts of this process since its metrics were last read. */
export interface MetricsSource {
  stream(): StreamCounts
  /** The runs that ended since the last call. */
  takeEnded(): readonly EndedRun[]
}

/** Returns the metrics in the format of Prometheus. */
export type ReadMetrics = () => Promise<string>

/** Registration of an app by this service, available while there is none. */
export interface Registration {
  /** Proves access to the service's log, which permits the registration. */
  code: string
  /** Manifest for the code host; undefined if the code host could not reach the service. */
  manifest(): AppManifest | undefined
  /** Exchanges the code host's code for the new app. */
  convert(code: string): Promise<NewApp>
  /** Makes the service act as this app from now on. */
  adopt(app: NewApp): Promise<void>
}

/** How the installation is reached, and what it reports about itself. */
export interface Site {
  /** Public address, without a slash at the end. */
  url: string
  /** Path that all paths begin with: empty, or like `/ci`. */
  prefix: string
  version: string
  /** Proxies whose forwarded addresses are trusted. */
  trustProxy: TrustProxy
  /** Whether every caller has to log in. */
  forceAuthentication: boolean
  /** Whether all calls of the API are limited, not just those that are costly. */
  rateLimits: boolean
  /** Administrators of the installation, as `provider:login` in lower case. */
  admins: readonly string[]
  /** Whether public records are visible to everyone. */
  publicMode: boolean
  codehost: { api_url: string; web_url: string; scopes: readonly string[] }
  login: {
    /** Origins that a login can be handed over to, in addition to the service's own. */
    origins: readonly string[]
    /** Whether a login can also be handed over to programs on the user's machine. */
    loopback: boolean
    /** Unset settings that logins through the app need. */
    missing: readonly string[]
  }
}

export interface Intake {
  /**
   * Secrets accepted for the webhook signatures of each provider; a provider without one is not set up.
   * The local provider has one secret for each master key, and the first can differ between processes.
   */
  secrets: Readonly<Record<'codehost' | 'local', readonly string[]>>
  /** Stores a webhook and enqueues it for processing. False when it is already stored. */
  accept(delivery: NewDelivery): Promise<boolean>
  /** Absent if no local repositories are served. */
  changes?: LocalChanges
}

/** Changes of this machine's repositories, as its commands and git hooks report them. */
export interface LocalChanges {
  /** Token with which commands and git hooks identify themselves. */
  token: string
  /** Delivers a repository's changes and returns the number of events; undefined if it is not registered. */
  report(folder: string): Promise<number | undefined>
}

/** The service through which events reach clients: the embedded one, or another. */
export interface Streaming {
  app: StreamingApp
  /** Address of another service; undefined for the embedded one, which is at the address of the pages. */
  url?: string | undefined
  /** Keeps for whom channels of a connection were signed, until its rights are checked again. */
  signedFor(socketId: string, viewer: SocketViewer): Promise<void>
  /** The signed interface for programs that publish events; only the embedded service has it here. */
  publisher?: (call: PublisherCall) => Promise<{ status: number; body: string }>
}

/** A call of a program that publishes events. */
interface PublisherCall {
  method: string
  /** Path with its query, as it was received: it is signed. */
  url: string
  body: Buffer
}

/** The connections for live events to this process, and the events sent on them so far. */
export interface StreamCounts {
  connections: number
  messages: number
}
