import { removeLogs } from '../../store/jobs/logs.ts'
import {
  deleteExpiredBuilds,
  deleteExpiredRequests,
  deleteOldDeliveries,
  deleteOrphans,
  limitedRepositories,
  lockExpiredLogs,
} from '../../store/upkeep/retention.ts'
import { wasExpired } from '../../texts/log-endings.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'

/**
 * The number of rows per step. Each step is a separate transaction, so that nothing waits long for
 * its locks.
 */
const most = 50

/** Days for which processed webhooks are kept even if builds are not: the code host can send them again. */
const deliveryDays = 30

/** Deletes logs, builds and requests whose retention has expired. */
export async function deleteExpired(ctx: Context): Promise<void> {
  const { logDays, buildDays, buildsKept } = ctx.config
  const installation = {
    log_days: logDays || null,
    build_days: buildDays || null,
    builds_kept: buildsKept,
  }
  for (const { id, log_days, build_days, builds_kept } of await limitedRepositories(
    ctx.db,
    installation,
  )) {
    if (log_days !== null) await untilDone(() => removeExpiredLogs(ctx, id, log_days))
    if (build_days === null) continue
    const step = { build_days, builds_kept, most }
    const builds = await untilDone(() =>
      transact(ctx, (tx) => deleteExpiredBuilds(tx.db, id, step)),
    )
    const requests = await untilDone(() => deleteExpiredRequests(ctx.db, id, step))
    if (builds + requests > 0) {
      await transact(ctx, (tx) => deleteOrphans(tx.db, id))
      ctx.log.info({ repository_id: id, builds, requests }, 'expired builds were deleted')
    }
  }
  if (buildDays > 0) await deleteOldDeliveries(ctx.db, Math.max(buildDays, deliveryDays))
}

/** Runs a step until it finds no more rows. Returns the number of rows of all steps. */
async function untilDone(step: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    const found = await step()
    all += found
    if (found < most) return all
  }
}

function removeExpiredLogs(ctx: Context, repositoryId: number, days: number): Promise<number> {
  return transact(ctx, async ({ db, now }) => {
    const ids = await lockExpiredLogs(db, repositoryId, { days, most })
    if (ids.length === 0) return 0
    const removed_at = now()
    await removeLogs(db, ids, { removed_at, text: wasExpired(removed_at, days) })
    return ids.length
  })
}
