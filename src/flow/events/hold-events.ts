import type { RepositoryFacts } from '../../domain/event.ts'
import { holdLock, holdLockLoosely } from '../../store/sql/locks.ts'
import type { Transaction } from '../transact.ts'

/** Waits for other events of a repository to be received, and blocks others until the transaction ends. */
export function holdEvents({ db }: Pick<Transaction, 'db'>, repository: Named): Promise<void> {
  return holdLock(db, nameOf(repository))
}

/** As `holdEvents`, for an event of a webhook, which is received again if this transaction is lost. */
export function holdEventsLoosely(
  { db }: Pick<Transaction, 'db'>,
  repository: Named,
): Promise<void> {
  return holdLockLoosely(db, nameOf(repository))
}

type Named = Pick<RepositoryFacts, 'provider' | 'codehost_id'>

const nameOf = ({ provider, codehost_id }: Named) => `receive:${provider}:${codehost_id}`
