import type {
  CodehostEvent,
  PullRequestEvent,
  PushEvent,
  RefEvent,
  RepositoryEvent,
  RerequestEvent,
} from '../domain/event.ts'
import { readRef } from '../domain/event.ts'
import { isFromFork } from '../domain/commit.ts'
import { type Repository, slugOf } from '../domain/repository.ts'
import type { Request } from '../domain/request.ts'
import { markBranchGone, markTagGone, putBranch, putTag } from '../store/branches.ts'
import { insertCommit } from '../store/commits.ts'
import { findInstallation } from '../store/installations.ts'
import { holdLock } from '../store/locks.ts'
import { putPullRequest } from '../store/pull-requests.ts'
import {
  findDoubledPush,
  findRequestOfHead,
  hasRequestOfDelivery,
  insertRequest,
} from '../store/requests.ts'
import type { Database } from '../store/tables.ts'
import type { Context } from './context.ts'
import { findSender } from './repository/find-sender.ts'
import { refreshRepository } from './repository/refresh-repository.ts'
import { syncInstallation } from './sync-installation.ts'
import { transact, type Transaction } from './transact.ts'

/** What became of an event: the request it made, or in words what it changed, or why nothing. */
export type Received =
  { request: Request } | { noted: string } | { ignored: string } | { unknown: string }

type Taken = Exclude<CodehostEvent, RepositoryEvent>

const doubledWithin = 10 * 60_000

/**
 * Turns an event of the code host into a request that waits to be decided on. Events of one
 * repository are taken one after the other (WH-13); the same delivery may come twice.
 */
export async function receiveEvent(ctx: Context, event: Taken): Promise<Received> {
  const received = await receiveOnce(ctx, event)
  // The event that gave us the repository may have got lost, or come later.
  const again = 'unknown' in received && (await lookUp(ctx, event))
  return again ? receiveOnce(ctx, event) : received
}

/** Whether there may be more repositories now. */
async function lookUp(ctx: Context, { installation_codehost_id: number }: Taken): Promise<boolean> {
  if (number === null) return false
  return syncInstallation(ctx, number)
}

function receiveOnce(ctx: Context, event: Taken): Promise<Received> {
  return transact(ctx, async (tx): Promise<Received> => {
    const { provider, codehost_id } = event.repository
    await holdLock(tx.db, `receive:${provider}:${codehost_id}`)
    if (event.delivery_id !== null && (await hasRequestOfDelivery(tx.db, event.delivery_id))) {
      return { ignored: 'this delivery made its request before' }
    }
    const repository = await refreshRepository(tx.db, event)
    if (!repository) return { unknown: `unknown repository ${event.repository.name}` }
    const closed = await whyClosed(tx.db, repository)
    if (closed !== undefined) return { ignored: closed }
    const received = await take(tx, repository, event)
    if ('request' in received) tx.follow('request.accept', { request_id: received.request.id })
    return received
  })
}

/** Why nothing that happens in this repository is acted upon. */
async function whyClosed(db: Database, repository: Repository): Promise<string | undefined> {
  const { archived_at, installation_id } = repository
  if (archived_at !== null) return `${slugOf(repository)} is archived`
  if (installation_id === null) return undefined
  const installation = await findInstallation(db, { id: installation_id })
  if (!installation?.suspended_at) return undefined
  return `the app is suspended at ${repository.owner_name}: unsuspend it there`
}

async function take(tx: Transaction, repository: Repository, event: Taken): Promise<Received> {
  if (event.type === 'push') return takePush(tx, repository, event)
  if (event.type === 'pull_request') return takePullRequest(tx, repository, event)
  if (event.type === 'ref') return takeRef(tx.db, repository, event)
  return { ignored: notRestarted(event) }
}

function notRestarted({ what }: RerequestEvent): string {
  return `asked to repeat ${what}, but this version cannot restart builds: push again instead`
}

async function takePush(
  tx: Transaction,
  repository: Repository,
  event: PushEvent,
): Promise<Received> {
  const ref = readRef(event.ref)
  if (ref.kind === 'other') return { ignored: `a push to ${event.ref} builds nothing` }
  if (event.deleted) {
    await (ref.kind === 'branch' ? markBranchGone : markTagGone)(tx.db, repository.id, ref.name)
    return { ignored: `${ref.kind} ${ref.name} was deleted` }
  }

  const same = {
    repository_id: repository.id,
    ref: event.ref,
    before_sha: event.before,
    after_sha: event.after,
  }
  const doubled = await findDoubledPush(tx.db, same, ago(tx, doubledWithin))
  if (doubled) return { ignored: `the same push as that of request ${doubled.id}` }

  await (ref.kind === 'branch' ? putBranch : putTag)(tx.db, repository.id, ref.name)
  const commit = event.head_commit
    ? await insertCommit(tx.db, {
        ...event.head_commit,
        repository_id: repository.id,
        ref: event.ref,
        branch: ref.name,
        tag_name: ref.kind === 'tag' ? ref.name : null,
        compare_url: event.compare_url,
      })
    : null
  const request = await insertRequest(tx.db, {
    ...(await common(tx, repository, event)),
    ...same,
    event_type: 'push',
    commit_id: commit?.id ?? null,
  })
  return { request }
}

const buildingActions = ['opened', 'reopened', 'synchronize']

async function takePullRequest(
  tx: Transaction,
  repository: Repository,
  event: PullRequestEvent,
): Promise<Received> {
  const { head, base, number, title, state, draft, html_url, author_login } = event
  const known = {
    repository_id: repository.id,
    number,
    title,
    state,
    draft,
    html_url,
    author_login,
    head_repository_codehost_id: head.repository_codehost_id,
    head_slug: head.slug,
    head_ref: head.ref,
    head_sha: head.sha,
    base_ref: base.ref,
  }
  const pull = await putPullRequest(tx.db, known)

  const builds = buildingActions.includes(event.action) || event.retargeted
  if (!builds) return { ignored: `a pull request that was ${event.action} builds nothing` }
  if (event.state === 'closed') return { ignored: `pull request ${number} is closed` }

  // WH-37: a new base makes another merge commit, so only the same head on the same base is known.
  const action = event.retargeted ? 'synchronize' : event.action
  const same = { pull_request_id: pull.id, head_commit: head.sha }
  const earlier =
    action === 'synchronize'
      ? await findRequestOfHead(tx.db, event.retargeted ? { ...same, base_commit: base.sha } : same)
      : await findRequestOfHead(tx.db, { ...same, action, since: ago(tx, doubledWithin) })
  if (earlier) return { ignored: `request ${earlier.id} is about the same commit` }

  const request = await insertRequest(tx.db, {
    ...(await common(tx, repository, event)),
    event_type: 'pull_request',
    action,
    pull_request_id: pull.id,
    from_fork: isFromFork(pull, repository),
    ref: `refs/pull/${number}/merge`,
    base_commit: base.sha,
    head_commit: head.sha,
    mergeable_state: event.mergeable_state,
  })
  return { request }
}

async function takeRef(
  db: Database,
  repository: Repository,
  { ref_type, name, exists }: RefEvent,
): Promise<Received> {
  const put = ref_type === 'branch' ? putBranch : putTag
  const markGone = ref_type === 'branch' ? markBranchGone : markTagGone
  await (exists ? put : markGone)(db, repository.id, name)
  return { noted: `${ref_type} ${name} ${exists ? 'exists now' : 'is gone'}` }
}

async function common(tx: Transaction, repository: Repository, event: Taken) {
  const sender = await findSender(tx.db, event.sender, repository.provider)
  return {
    repository_id: repository.id,
    owner_id: repository.owner_id,
    owner_type: repository.owner_type,
    sender_id: sender?.id ?? null,
    sender_login: event.sender.login,
    delivery_id: event.delivery_id,
    state: 'created' as const,
    private: repository.private,
    created_at: tx.now(),
    updated_at: tx.now(),
  }
}

function ago({ now }: Transaction, milliseconds: number): Date {
  return new Date(now().getTime() - milliseconds)
}
