import type { RepositoryFacts } from '../../domain/event.ts'
import { holdLock } from '../../store/locks.ts'
import type { Transaction } from '../transact.ts'

/** Waits until no other event of a repository is received, and lets none for the rest of the transaction. */
export function holdEvents(
  { db }: Pick<Transaction, 'db'>,
  { provider, codehost_id }: Pick<RepositoryFacts, 'provider' | 'codehost_id'>,
): Promise<void> {
  return holdLock(db, `receive:${provider}:${codehost_id}`)
}
