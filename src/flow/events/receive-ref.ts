import { type RefEvent, refOf } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { isQueueBranch } from '../../domain/request/merge-queue.ts'
import {
  isKnownToExist,
  markBranchGone,
  markTagGone,
  putBranch,
  putTag,
} from '../../store/repositories/branches.ts'
import { announceLost } from '../statuses/announce-commit.ts'
import type { Transaction } from '../transact.ts'
import type { AskedTip } from './ask-codehost.ts'
import type { EventOutcome } from './event-outcome.ts'

/** The tip of the ref is to be fetched from the code host, because the event may be old or late. */
export const tipInDoubt = Symbol('tip in doubt')

type Ref = Pick<RefEvent, 'ref_type' | 'name'>

/** Stores that a branch or tag was created or deleted; neither builds anything. */
export async function receiveRef(
  tx: Transaction,
  repository: Repository,
  event: RefEvent,
  asked?: AskedTip,
): Promise<EventOutcome | typeof tipInDoubt> {
  if (isQueueBranch(event.name)) return { noted: `${event.name} belongs to a merge queue` }
  return event.exists ? addRef(tx, repository, event, asked) : endRef(tx, repository, event, asked)
}

async function addRef(
  tx: Transaction,
  { id }: Repository,
  { ref_type, name }: Ref,
  asked: AskedTip | undefined,
): Promise<EventOutcome | typeof tipInDoubt> {
  if (!(await isKnownToExist(tx.db, ref_type, id, name))) {
    if (!asked) return tipInDoubt
    if (asked.sha === null)
      return { ignored: `${ref_type} ${name} no longer exists at the code host` }
    await (ref_type === 'branch' ? putBranch : putTag)(tx.db, id, name)
    await announceLost(tx, { id }, refOf(ref_type, name))
  }
  return { noted: `${ref_type} ${name} exists now` }
}

/** Stores that a branch or tag is gone, unless it exists, or a branch was pushed to since the query. */
export async function endRef(
  tx: Transaction,
  { id }: Repository,
  { ref_type, name }: Ref,
  asked: AskedTip | undefined,
): Promise<EventOutcome | typeof tipInDoubt> {
  if (await isKnownToExist(tx.db, ref_type, id, name)) {
    if (!asked) return tipInDoubt
    if (typeof asked.sha === 'string') {
      return { ignored: `${ref_type} ${name} is still at the code host` }
    }
    if (ref_type === 'tag') await markTagGone(tx.db, id, name)
    else await markBranchGone(tx.db, id, name, asked.at)
    await announceLost(tx, { id }, refOf(ref_type, name))
  }
  return { noted: `${ref_type} ${name} was deleted` }
}
