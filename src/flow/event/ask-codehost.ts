import { type Codehost, CodehostError, type RepositoryRef } from '../../codehost/codehost.ts'
import {
  type MergeGroupEvent,
  type PullRequestEvent,
  type PushEvent,
  type RefEvent,
  refOf,
} from '../../domain/event.ts'
import { timeOf } from '../../store/age.ts'
import { findPullRequestOf } from '../../store/pull-requests.ts'
import { findRepository } from '../../store/repositories.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import type { CurrentPull } from './receive-pull-request.ts'

/** An event about a commit; those about the repository, its people and its checks have own verbs. */
export type EventInRepository = PushEvent | PullRequestEvent | MergeGroupEvent | RefEvent

/** Where a ref is at the code host. */
export interface AskedTip {
  /** Null where there is no such ref; undefined where the app is not shown that, so that events are believed. */
  sha: string | null | undefined
  /** No later than it was asked, by the database's clock. */
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

/** What a pull request is now; null where the app is not shown that. */
export async function askPull(ctx: Context, event: EventInRepository): Promise<CurrentPull | null> {
  if (event.type !== 'pull_request') return null
  const pull = await askedIn(ctx, event, (codehost, ref) => codehost.pull(ref, event.number))
  return pull ? { head_sha: pull.head.sha, base_ref: pull.base.ref, state: pull.state } : null
}

/** Whether the branch is gone that a pull request was to be merged into, as far as is known here. */
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
