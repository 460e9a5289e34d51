import type { RefEvent } from '../../domain/event.ts'
import { isQueueBranch } from '../../domain/request/merge-queue.ts'
import type { Repository } from '../../domain/repository.ts'
import { markBranchGone, markTagGone, putBranch, putTag } from '../../store/branches.ts'
import type { Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'

/** Stores that a branch or tag was created or deleted; neither builds anything. */
export async function receiveRef(
  { db }: Transaction,
  repository: Repository,
  { ref_type, name, exists }: RefEvent,
): Promise<EventOutcome> {
  if (isQueueBranch(name)) return { noted: `${name} belongs to a merge queue` }
  const put = ref_type === 'branch' ? putBranch : putTag
  const markGone = ref_type === 'branch' ? markBranchGone : markTagGone
  await (exists ? put : markGone)(db, repository.id, name)
  return { noted: `${ref_type} ${name} ${exists ? 'exists now' : 'was deleted'}` }
}
