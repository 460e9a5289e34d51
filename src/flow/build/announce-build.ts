import type { Build } from '../../domain/build.ts'
import { isWorthTelling } from '../notify/notify-of-build.ts'
import { announceStatus, type StatusTarget } from '../report/announce-status.ts'
import { statusTarget } from '../report/status-target.ts'
import { buildCheckStream, buildEventsStream } from '../report/streams.ts'
import type { Transaction } from '../transact.ts'

/**
 * Reports the current state of a build through the outbox, to `target`, which is looked up if absent,
 * and to those who are to be notified.
 */
export async function announceBuild(
  tx: Transaction,
  build: Build,
  target?: StatusTarget,
): Promise<void> {
  const { id, state, repository_id } = build
  const to = target ?? (await statusTarget(tx.db, build))
  announceStatus(tx, 'status:build', to, { build_id: id, state })
  if (tx.config.buildCheck) {
    for (const kind of to.kinds) {
      const stream = buildCheckStream(repository_id, to.sha, kind)
      tx.announce('check:build', stream, { build_id: id, state, kind })
    }
  }
  if (isWorthTelling(tx.config, build)) {
    tx.announce('notify:build', buildEventsStream(repository_id), { build_id: id, state })
  }
}
