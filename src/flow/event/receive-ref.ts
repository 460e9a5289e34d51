import { type RefEvent, refOf } from '../../domain/event.ts'
import { isQueueBranch } from '../../domain/request/merge-queue.ts'
import type { Repository } from '../../domain/repository.ts'
import {
  isKnownToExist,
  markBranchGone,
  markTagGone,
  putBranch,
  putTag,
} from '../../store/branches.ts'
import { announceLost } from '../report/announce-commit.ts'
import type { Transaction } from '../transact.ts'
import type { AskedTip } from './ask-codehost.ts'
import type { EventOutcome } from './event-outcome.ts'

/** An event may be old, or late: the code host is to be asked where the ref is. */
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
  { db }: Transaction,
  { id }: Repository,
  { ref_type, name }: Ref,
  asked: AskedTip | undefined,
): Promise<EventOutcome | typeof tipInDoubt> {
  if (!(await isKnownToExist(db, ref_type, id, name))) {
    if (!asked) return tipInDoubt
    if (asked.sha === null)
      return { ignored: `${ref_type} ${name} is not at the code host any more` }
    await (ref_type === 'branch' ? putBranch : putTag)(db, id, name)
  }
  return { noted: `${ref_type} ${name} exists now` }
}

/** Stores that a branch or tag is gone, unless it is there, or was pushed to since that was asked. */
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
