import type { Build } from '../../../domain/build.ts'
import { isMap } from '../../../domain/config/config-value.ts'
import type { Notification, NotificationKind } from '../../../domain/notification.ts'
import type { Context } from '../../context.ts'
import type { BuildFacts } from '../build-facts.ts'
import { addressesIn, type OpenAddress } from '../open-address.ts'

export type Section = Build['notifications']

/** The content of each kind. It is stored sealed: its addresses may be secret, and builds private. */
interface Contents {
  webhook: {
    url: string
    /** Whether the operator set the address, so that any address is allowed. */
    trusted: boolean
    slug: string
    payload: Record<string, unknown>
  }
  slack: { url: string; body: string }
  email: { mail: MailContent }
}

export interface MailContent {
  to: string
  subject: string
  text: string
  inReplyTo: string
  headers: Record<string, string>
}

export type ContentOf<K extends NotificationKind> = Contents[K] & {
  kind: K
  /** Whether the address is encrypted in the build file, so that no part of it is shown or logged. */
  secret: boolean
}

export type NotificationContent = { [K in NotificationKind]: ContentOf<K> }[NotificationKind]

/** A notification before it is stored: its content, or why nothing is sent. */
export type Planned = { kind: NotificationKind; target: string } & (
  | { address: string; content: NotificationContent }
  | { skipped: string }
)

export type Planner = Pick<Context, 'db' | 'sealer' | 'config'>
export type Opened = Extract<OpenAddress, { text: string }>

/** The options of an address, from its entry in the section. */
export interface TargetOptions {
  /** Whether the address is of Microsoft Teams, which needs its own format. */
  teams: boolean
  /** Lines of the message; empty if the file has none. */
  template: readonly string[]
}

/** A kind of notification: a file of this folder, listed in `index.ts`. */
export interface Kind<K extends NotificationKind> {
  /** The section's entries with their addresses, as in the file; null means the addresses of the commit. */
  named(section: Section, build: Pick<Build, 'event_type'>): { entry: Section; address: unknown }[]
  /** The notifications for an address, or why there is none. */
  plan(ctx: Planner, facts: BuildFacts, options: TargetOptions, opened: Opened): Promise<Planned[]>
  /** The notifications for the addresses of the commit, for kinds that have them. */
  planOfCommit?(ctx: Planner, facts: BuildFacts): Promise<Planned[]>
  /** Sends a notification. Returns the status of the response, null without one; throws a NotifyError. */
  send(ctx: Context, notification: Notification, content: ContentOf<K>): Promise<number | null>
}

/** The text shown instead of a target whose address is encrypted. */
export const hiddenTarget = '[secure]'

/** The header with which every post identifies its sender. */
export const sender = { 'user-agent': 'build-service' }

/** The entries of a kind that are not switched off. */
export function entriesOf(given: unknown): Section[] {
  return listed(given)
    .filter(isMap)
    .filter(({ enabled, disabled }) => enabled !== false && disabled !== true)
}

/** Each address under this key of an entry, together with the entry. */
export function addressesOf(entry: Section, key: string): { entry: Section; address: unknown }[] {
  return listed(entry[key])
    .flatMap((address) => (typeof address === 'string' ? addressesIn(address) : [address]))
    .map((address) => ({ entry, address }))
}

export function listed(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
