import type { Build } from '../../domain/build.ts'
import { type ShownCommit, type StatusKind, statusKindsOf } from '../../domain/commit/status.ts'
import { refsOfBuild } from '../../store/requests/requests.ts'
import { isWorthTelling } from '../notifications/notify-of-build.ts'
import { announceStatuses } from '../statuses/announce-commit.ts'
import { buildEventsStream } from '../statuses/streams.ts'
import type { Transaction } from '../transact.ts'

interface Target extends ShownCommit {
  kinds: readonly StatusKind[]
}

/**
 * Reports a new state of a build through the outbox: on `target`, which is looked up if absent, and to the
 * recipients of notifications.
 */
export async function announceBuild(tx: Transaction, build: Build, target?: Target): Promise<void> {
  const { id, state, repository_id } = build
  const shown = target ?? (await targetOf(tx, build))
  announceStatuses(tx, shown, shown.kinds)
  if (isWorthTelling(tx.config, build)) {
    tx.announce('notify:build', buildEventsStream(repository_id), { build_id: id, state })
  }
}

/** The commit that users look at: for a pull request its head, not the merge commit (NT-03). */
async function targetOf({ db }: Transaction, build: Build): Promise<Target> {
  const { repository_id, event_type } = build
  const { ref, head_commit, sha } = await refsOfBuild(db, build)
  return { repository_id, sha: head_commit ?? sha, kinds: statusKindsOf({ event_type, ref }) }
}
