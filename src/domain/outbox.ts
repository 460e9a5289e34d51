import type { ShownCommit, StatusTarget } from './commit/status.ts'

/** Announcements to the code host and to the recipients of notifications. */
export interface Announcements {
  /** The status of a commit in one context, as of the time of publishing. */
  status: StatusTarget
  /** The check run with findings about a commit's build file; `again`: whether someone requested it. */
  'check:config': ShownCommit & { again?: boolean }
  /** The check run of the builds of a commit in one context. */
  'check:build': StatusTarget
  /** A build that has started or ended; its notifications are determined on publishing. */
  'notify:build': { build_id: number; state: string }
  /** A notification to send; `earlier_attempts` is the number of attempts before it was to be resent. */
  'notify:send': { notification_id: number; earlier_attempts?: number }
}

export type AnnouncementKind = keyof Announcements

export interface OutboxRow<K extends AnnouncementKind = AnnouncementKind> {
  id: number
  kind: K
  /** Rows of one stream are published in order, one at a time. */
  stream: string
  payload: Announcements[K]
  attempts: number
  /** How often the code host rejected the row as invalid, whatever it said. */
  rejections: number
  error: string | null
  /** Advice for people about the error; null if there is none. */
  remedy: string | null
  created_at: Date
  next_attempt_at: Date | null
  /** The time when the code host first refused the row for lack of a right; null if it did not. */
  refused_at: Date | null
  published_at: Date | null
}
