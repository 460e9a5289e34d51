import { type Codehost, CodehostError, type RepositoryRef } from '../../codehost/codehost.ts'
import {
  type MergeGroupEvent,
  type PullRequestEvent,
  type PushEvent,
  type RefEvent,
  refOf,
} from '../../domain/event.ts'
import { findPullRequestOf } from '../../store/commits/pull-requests.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { timeOf } from '../../store/sql/age.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import type { CurrentPull } from './receive-pull-request.ts'

/** An event about a commit. Events about the repository, its people or its checks have separate verbs. */
export type EventInRepository = PushEvent | PullRequestEvent | MergeGroupEvent | RefEvent

/** The commit that a ref points to at the code host. */
export interface AskedTip {
  /** Null if there is no such ref; undefined if the app cannot read the ref, so that events are believed. */
  sha: string | null | undefined
  /** A time no later than the query, by the database's clock. */
  at: Date
}

export async function askTip(ctx: Context, event: EventInRepository): Promise<AskedTip> {
  const at = await timeOf(ctx.db)
  const name = nameOf(event)
  const sha = await askedIn(ctx, event, async (codehost, ref) => {
    return (await codehost.tip(ref, name)) ?? null
  })
  return { sha, at }
}

function nameOf(event: EventInRepository): string {
  if (event.type === 'ref') return refOf(event.ref_type, event.name)
  return event.type === 'push' ? event.ref : ''
}

/** The current state of a pull request; null if the code host does not show it. */
export async function askPull(ctx: Context, event: EventInRepository): Promise<CurrentPull | null> {
  if (event.type !== 'pull_request') return null
  const pull = await askedIn(ctx, event, (codehost, ref) => codehost.pull(ref, event.number))
  return pull ? { head_sha: pull.head.sha, base_ref: pull.base.ref, state: pull.state } : null
}

/** Whether the stored base branch of a pull request no longer exists at the code host. */
export async function askBase(ctx: Context, event: EventInRepository): Promise<boolean> {
  if (event.type !== 'pull_request') return false
  const { provider, codehost_id } = event.repository
  const repository = await findRepository(ctx.db, { provider, codehost_id })
  const known = repository && (await findPullRequestOf(ctx.db, repository.id, event.number))
  if (!known) return false
  const asked = await askedIn(ctx, event, async (codehost, ref) => ({
    tip: await codehost.tip(ref, refOf('branch', known.base_ref)),
  }))
  return asked !== undefined && asked.tip === undefined
}

async function askedIn<T>(
  ctx: Context,
  { repository: { provider, codehost_id } }: EventInRepository,
  ask: (codehost: Codehost, ref: RepositoryRef) => Promise<T>,
): Promise<T | undefined> {
  const repository = await findRepository(ctx.db, { provider, codehost_id })
  if (!repository) return undefined
  try {
    const { codehost, ref } = atCodehost(ctx, repository)
    return await ask(codehost, ref)
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) return undefined
    throw error
  }
}
