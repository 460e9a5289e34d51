import type { Build } from '../../domain/build.ts'
import { announceStatus, type StatusTarget } from '../report/announce-status.ts'
import { statusTarget } from '../report/status-target.ts'
import type { Transaction } from '../transact.ts'

/** Reports the current state of a build through the outbox, to `target`, which is looked up if absent. */
export async function announceBuild(
  tx: Transaction,
  build: Build,
  target?: StatusTarget,
): Promise<void> {
  const { id, state } = build
  const to = target ?? (await statusTarget(tx.db, build))
  announceStatus(tx, 'status:build', to, { build_id: id, state })
}
