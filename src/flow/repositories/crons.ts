import type { Actor } from '../../domain/audit.ts'
import { type Cron, type CronPlan, firstRun } from '../../domain/cron.ts'
import { validationFailed } from '../../domain/errors.ts'
import { type KnownBranch, putBranch } from '../../store/repositories/branches.ts'
import { putCron, deleteCron } from '../../store/repositories/crons.ts'
import { timeOf } from '../../store/sql/age.ts'
import { holdLock } from '../../store/sql/locks.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

type WantedCron = Pick<CronPlan, 'interval' | 'start_at' | 'timezone'> &
  Pick<Cron, 'dont_run_if_recent_build_exists'>

/** Schedules builds of a branch, replacing its current cron. */
export function setCron(
  ctx: Context,
  actor: Actor,
  { repository_id, name, exists_on_codehost, id }: KnownBranch,
  wanted: WantedCron,
): Promise<Cron> {
  if (!exists_on_codehost) {
    const message = `branch ${name} no longer exists at the code host`
    throw validationFailed([{ field: 'branch', code: 'invalid', message }])
  }
  return transact(ctx, async (tx) => {
    // A default branch has no row until an event about it arrives.
    const branch_id = id ?? (await putBranch(tx.db, repository_id, name)).id
    // Two concurrent calls would both remove the previous cron, and one could not store its own.
    await holdLock(tx.db, `cron:${branch_id}`)
    const first = firstRun(wanted, await timeOf(tx.db))
    const cron = await putCron(tx.db, {
      ...wanted,
      repository_id,
      branch_id,
      planned_at: first,
      next_run: first,
    })
    const { interval, start_at, timezone } = wanted
    await audit(tx, actor, {
      action: 'set_cron',
      subject_type: 'repository',
      subject_id: repository_id,
      changed: { id: cron.id, branch: name, interval, start_at, timezone },
    })
    return cron
  })
}

/** Removes a cron. Undefined if it no longer existed. */
export function removeCron(
  ctx: Context,
  actor: Actor,
  { id }: Pick<Cron, 'id'>,
): Promise<Cron | undefined> {
  return transact(ctx, async (tx) => {
    const removed = await deleteCron(tx.db, id)
    if (!removed) return
    const { repository_id, branch_id, interval } = removed
    await audit(tx, actor, {
      action: 'remove_cron',
      subject_type: 'repository',
      subject_id: repository_id,
      changed: { id, branch_id, interval },
    })
    return removed
  })
}
