import type { CodehostEvent } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { idOfUser } from '../../store/people/users.ts'

/** The columns of a new request that are the same for all kinds of events. */
export function newRequest(
  repository: Repository,
  { sender, delivery_id }: Pick<CodehostEvent, 'sender' | 'delivery_id'>,
) {
  return {
    repository_id: repository.id,
    owner_id: repository.owner_id,
    owner_type: repository.owner_type,
    sender_id: idOfUser(repository.provider, sender.codehost_id),
    sender_login: sender.login,
    delivery_id,
    state: 'created' as const,
    private: repository.private,
  }
}

/** Seconds within which an equal event is a duplicate, no matter how it was delivered (WH-14). */
export const duplicateSeconds = 10 * 60
