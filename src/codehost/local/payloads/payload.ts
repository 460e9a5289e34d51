import type { RepositoryFacts } from '../../../domain/event.ts'
import type { Local } from '../local.ts'
import { ownerFacts } from '../repositories.ts'

/** The payload of the code host's events, reduced to the fields that have a meaning here. */
export interface EventPayload {
  repository: RepositoryPayload
  sender: AccountPayload
}

export interface RepositoryPayload {
  id: number
  name: string
  full_name: string
  private: boolean
  fork: boolean
  default_branch: string
  description: string | null
  language: string | null
  owner: AccountPayload & { name: string }
}

export interface AccountPayload {
  id: number
  login: string
  type: 'User' | 'Organization'
}

/** The two parts that every event has. The sender is always the one local user. */
export function eventPayload(local: Pick<Local, 'owner'>, facts: RepositoryFacts): EventPayload {
  return {
    repository: repositoryPayload(facts),
    sender: accountPayload(ownerFacts(local, local.owner)),
  }
}

function repositoryPayload(facts: RepositoryFacts): RepositoryPayload {
  const { codehost_id, name, fork, default_branch, description, language, owner } = facts
  return {
    id: codehost_id,
    name,
    full_name: `${owner.login}/${name}`,
    private: facts.private,
    fork,
    default_branch,
    description,
    language,
    owner: { ...accountPayload(owner), name: owner.login },
  }
}

function accountPayload({ codehost_id, login, type }: RepositoryFacts['owner']): AccountPayload {
  return { id: codehost_id, login, type }
}
