import type { Context } from 'probot'
import type { CodehostEvent, CommitFacts, EventRepository, SenderFacts } from '../domain/event.ts'
import type { Provider } from '../domain/owner.ts'

export type PushPayload = Context<'push'>['payload']
export type PullRequestPayload = Context<'pull_request'>['payload']

/** The delivery and provider that an event came from. */
export interface Origin {
  delivery_id: number | null
  provider: Provider
}

interface AnyPayload {
  repository: {
    id: number
    name: string
    private: boolean
    fork: boolean
    default_branch: string
    description?: string | null | undefined
    language?: string | null | undefined
    archived?: boolean | undefined
    owner: {
      id: number
      login?: string | undefined
      name?: string | null | undefined
      type?: string | undefined
    } | null
  }
  sender?: AnySender
  installation?: { id: number } | undefined
}

type AnySender = { id: number; login: string; type?: string | undefined } | undefined

/** Repository, sender and installation of a payload. */
export function factsOf(
  { repository, sender, installation }: AnyPayload,
  { delivery_id, provider }: Origin,
): Pick<CodehostEvent, 'delivery_id' | 'installation_codehost_id' | 'repository' | 'sender'> {
  return {
    delivery_id,
    installation_codehost_id: installation?.id ?? null,
    repository: repositoryFacts(repository, provider),
    sender: senderFacts(sender),
  }
}

/** WH-06: a bot's push is built, but belongs to no user. */
export function senderFacts(sender: AnySender): SenderFacts {
  return {
    codehost_id: sender && sender.type !== 'Bot' ? sender.id : null,
    login: sender?.login ?? '',
  }
}

function repositoryFacts(
  repository: AnyPayload['repository'],
  provider: Provider,
): EventRepository {
  const { id, name, fork, default_branch, owner } = repository
  return {
    provider,
    codehost_id: id,
    name,
    fork,
    default_branch,
    private: repository.private,
    description: repository.description ?? null,
    language: repository.language ?? null,
    archived: repository.archived ?? null,
    owner: ownerFacts(owner),
  }
}

function ownerFacts(owner: AnyPayload['repository']['owner']): EventRepository['owner'] {
  // Payloads of pushes name the owner's login `name`.
  const login = owner?.login ?? owner?.name
  if (!owner || !login) return null
  return {
    codehost_id: owner.id,
    login,
    type: owner.type === 'Organization' ? 'Organization' : 'User',
  }
}

interface PayloadCommit {
  id: string
  message: string
  timestamp: string
  author: Person | null
  committer: Person | null
}

interface Person {
  name: string
  email?: string | null | undefined
}

export function commitFacts(commit: PayloadCommit): CommitFacts {
  const at = new Date(commit.timestamp)
  return {
    sha: commit.id,
    message: commit.message,
    committed_at: Number.isNaN(at.getTime()) ? null : at,
    author_name: commit.author?.name ?? null,
    author_email: commit.author?.email ?? null,
    committer_name: commit.committer?.name ?? null,
    committer_email: commit.committer?.email ?? null,
  }
}
