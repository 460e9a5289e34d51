import type { Past } from '../../codehost/codehost.ts'
import { refOf } from '../../domain/event.ts'
import { isQueueBranch } from '../../domain/request/merge-queue.ts'
import { newestPushes } from '../../store/commits/pushes.ts'
import { putSeenHeads } from '../../store/deliveries/catch-up.ts'
import { markOthersGone } from '../../store/repositories/branches.ts'
import { timeOf } from '../../store/sql/age.ts'
import { announceLost } from '../statuses/announce-commit.ts'
import { transact } from '../transact.ts'
import type { CatchUpContext } from './context.ts'
import type { DueRepository } from './due-repositories.ts'
import { type FoundPush, storePushes } from './store-pushes.ts'
import type { Push } from './webhook-of.ts'

/**
 * Compares the branches of a repository with the known pushes, and stores a webhook for each branch that has
 * moved. The first look only records the branches.
 */
export async function lookAtBranches(
  ctx: CatchUpContext,
  past: Past,
  due: DueRepository,
): Promise<FoundPush[]> {
  const { id, heads: seen } = due.repository
  const at = await timeOf(ctx.db)
  const heads = await past.heads(due.ref)
  const moved = seen === null ? [] : await movedBranches(ctx, { id, seen }, heads)
  const found = await storePushes(ctx, past, due, moved)
  await transact(ctx, async (tx) => {
    const gone = await markOthersGone(tx.db, id, Object.keys(heads), at)
    for (const name of gone) await announceLost(tx, { id }, refOf('branch', name))
  })
  await putSeenHeads(ctx.db, id, due.settled_at, heads)
  return found
}

type Heads = Readonly<Record<string, string>>

async function movedBranches(
  { db }: CatchUpContext,
  { id, seen }: { id: number; seen: Heads },
  heads: Heads,
): Promise<(Push & { commit: string })[]> {
  // A branch may have the name of a property that every object has.
  const known = new Map(Object.entries(seen))
  const moved = Object.entries(heads).filter(
    ([name, sha]) => known.get(name) !== sha && !isQueueBranch(name),
  )
  const refs = moved.map(([name]) => refOf('branch', name))
  const newest = await newestPushes(db, id, refs)
  return moved.flatMap(([name, after]) => {
    const ref = refOf('branch', name)
    const before = newest.get(ref) ?? known.get(name) ?? null
    return before === after ? [] : { ref, before, after, commit: after }
  })
}
