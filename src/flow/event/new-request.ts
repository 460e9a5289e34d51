import type { CodehostEvent } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { findSender } from '../repository/find-sender.ts'
import type { Transaction } from '../transact.ts'

/** What a new request holds, whatever kind of event it is made of. */
export async function newRequest(
  { db, now }: Transaction,
  repository: Repository,
  { sender, delivery_id }: Pick<CodehostEvent, 'sender' | 'delivery_id'>,
) {
  const user = await findSender(db, sender, repository.provider)
  return {
    repository_id: repository.id,
    owner_id: repository.owner_id,
    owner_type: repository.owner_type,
    sender_id: user?.id ?? null,
    sender_login: sender.login,
    delivery_id,
    state: 'created' as const,
    private: repository.private,
    created_at: now(),
    updated_at: now(),
  }
}

/** The same event within this time is the same one, however it got here (WH-14). */
export function duplicateSince({ now }: Pick<Transaction, 'now'>): Date {
  return new Date(now().getTime() - 10 * 60_000)
}
