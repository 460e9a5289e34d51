import type { Build } from '../../domain/build.ts'
import { reportedSha } from '../report/reported-sha.ts'
import { statusStream } from '../report/streams.ts'
import type { Transaction } from '../transact.ts'

/** Reports the current state of a build through the outbox, on `sha`, which is looked up if absent. */
export async function announceBuild(tx: Transaction, build: Build, sha?: string): Promise<void> {
  const { id, state, repository_id, event_type } = build
  const reported = sha ?? (await reportedSha(tx.db, build))
  const stream = statusStream(tx, repository_id, reported, event_type)
  await tx.announce('status:build', stream, { build_id: id, state })
}
