import type { Announcements, StatusAnnouncements } from '../../domain/outbox.ts'
import type { StatusKind } from '../../domain/status.ts'
import type { Transaction } from '../transact.ts'
import { statusStream } from './streams.ts'

/** Where a status goes: a commit, and there to one context or to several. */
export interface StatusTarget {
  repository_id: number
  sha: string
  kinds: readonly StatusKind[]
}

/** Reports a status through the outbox, to each of its contexts. */
export function announceStatus<K extends keyof StatusAnnouncements>(
  tx: Transaction,
  announcement: K,
  { repository_id, sha, kinds }: StatusTarget,
  payload: StatusAnnouncements[K],
): void {
  for (const kind of kinds) {
    const stream = statusStream(tx, repository_id, sha, kind)
    tx.announce(announcement, stream, { ...payload, kind } as Announcements[K])
  }
}
