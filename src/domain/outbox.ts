import type { ShownCommit, StatusTarget } from './status.ts'

/** What is reported to the code host, and to those whom notifications are for. */
export interface Announcements {
  /** The status of a commit in one context, as it is when its turn comes. */
  status: StatusTarget
  /** The check run with the findings about the build file of a commit; `again`: someone asked for it. */
  'check:config': ShownCommit & { again?: boolean }
  /** The check run of the builds of a commit in one context. */
  'check:build': StatusTarget
  /** A build that has started or ended: which notifications follow is to be found out. */
  'notify:build': { build_id: number; state: string }
  /** A notification that is to be sent, with the attempts that were made before it was to be sent again. */
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
  error: string | null
  created_at: Date
  next_attempt_at: Date | null
  /** When the code host first refused it, for want of a right; null if it did not. */
  refused_at: Date | null
  published_at: Date | null
}
