import type { StatusKind } from './status.ts'

interface ToContext {
  /** Absent where the event of the build or request has only one. */
  kind?: StatusKind
}

/** The statuses that are reported to the code host, with the ids and states that each needs. */
export interface StatusAnnouncements {
  /** The status of the build's commit, as it was at that moment. */
  'status:build': ToContext & { build_id: number; state: string }
  /** A request that waits for its merge commit. */
  'status:waiting': ToContext & { request_id: number }
  /** A request that was rejected. */
  'status:skipped': ToContext & { request_id: number }
}

/** What is reported to the code host, and to those whom notifications are for. */
export interface Announcements extends StatusAnnouncements {
  /** The check run with the findings about the build file. */
  'check:config': { request_id: number }
  /** The check run of a build, as it was at that moment. */
  'check:build': { build_id: number; state: string; kind: StatusKind }
  /** A build that has started or ended: which notifications follow is to be found out. */
  'notify:build': { build_id: number; state: string }
  /** A notification that is to be sent. */
  /** With the attempts that were made before it was to be sent again, if it was. */
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
