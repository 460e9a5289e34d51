import type { Actor } from '../domain/audit.ts'
import { type Cron, type CronPlan, firstRun } from '../domain/cron.ts'
import { validationFailed } from '../domain/errors.ts'
import { type KnownBranch, putBranch } from '../store/branches.ts'
import { timeOf } from '../store/age.ts'
import { putCron } from '../store/crons.ts'
import { holdLock } from '../store/locks.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

type WantedCron = Pick<CronPlan, 'interval' | 'start_at' | 'timezone'> &
  Pick<Cron, 'dont_run_if_recent_build_exists'>

/** Has a branch built again and again, in place of the cron that it may have. */
export function setCron(
  ctx: Context,
  actor: Actor,
  { repository_id, name, exists_on_codehost, id }: KnownBranch,
  wanted: WantedCron,
): Promise<Cron> {
  if (!exists_on_codehost) {
    const message = `branch ${name} does not exist at the code host any more`
    throw validationFailed([{ field: 'branch', code: 'invalid', message }])
  }
  return transact(ctx, async (tx) => {
    // A default branch of which no event came yet has no row.
    const branch_id = id ?? (await putBranch(tx.db, repository_id, name)).id
    // Two at once would both remove the cron before, and one of them could not store its own.
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
