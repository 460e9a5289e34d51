/** What is to be told to the outside, and what the telling needs to know: ids and states only. */
export interface Announcements {
  /** The status of the build's commit, as it was at that moment. */
  'status:build': { build_id: number; state: string }
  /** A build that was not made on purpose. */
  'status:skipped': { request_id: number }
  /** The check run with the findings about the build file. */
  'check:config': { request_id: number }
}

export type AnnouncementKind = keyof Announcements

export interface OutboxRow<K extends AnnouncementKind = AnnouncementKind> {
  id: number
  kind: K
  /** Rows of one stream leave in order, one at a time. */
  stream: string
  payload: Announcements[K]
  attempts: number
  error: string | null
  created_at: Date
  next_attempt_at: Date | null
  published_at: Date | null
}
