import type { Build } from '../../domain/build.ts'
import { unrestartable } from '../../domain/errors.ts'
import { ofBlockedText } from '../../domain/request/blocked-text.ts'
import { blockedSenderOf } from '../../store/blocked-senders.ts'
import type { Transaction } from '../transact.ts'

/** Throws where a build that is to run again is of a request of someone who is blocked by now. */
export async function refuseOfBlocked(
  { db }: Pick<Transaction, 'db'>,
  { request_id }: Pick<Build, 'request_id'>,
): Promise<void> {
  const login = await blockedSenderOf(db, request_id)
  if (login !== undefined) throw unrestartable(ofBlockedText(login))
}
