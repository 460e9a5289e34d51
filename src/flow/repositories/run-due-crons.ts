import { nextRun } from '../../domain/cron.ts'
import { refOf } from '../../domain/event.ts'
import {
  type DueCron,
  dueCrons,
  endCron,
  lockDueCron,
  planCron,
} from '../../store/repositories/crons.ts'
import { insertRequest } from '../../store/requests/requests.ts'
import type { Context } from '../context.ts'
import { transact, type Transaction } from '../transact.ts'

/** Requests the builds of all crons that are due. A cron that fails is left for the next run. */
export async function runDueCrons(ctx: Context): Promise<void> {
  for (const cron_id of await dueCrons(ctx.db)) {
    try {
      await transact(ctx, (tx) => runCron(tx, cron_id))
    } catch (error) {
      ctx.log.warn({ cron_id, err: error }, 'a cron could not be run')
    }
  }
}

async function runCron(tx: Transaction, id: number): Promise<void> {
  const due = await lockDueCron(tx.db, id)
  if (!due) return
  const reason = endReason(due)
  if (reason !== undefined) {
    tx.log.info({ cron_id: id, reason }, 'a cron was stopped')
    await endCron(tx.db, id, reason)
    return
  }
  const { cron, repository, has_recent_build, is_early, now } = due
  // The cron continues with the next run after the repository is unarchived.
  const isPaused = repository.archived_at !== null
  if (isPaused) tx.log.info({ cron_id: id }, 'a cron was left out: its repository is archived')
  // Setting a cron again restarts its interval, but must not cause more builds.
  const isOften = is_early || (cron.dont_run_if_recent_build_exists && has_recent_build)
  const ran = !isPaused && !isOften
  if (ran) await requestBuild(tx, due)
  await planCron(tx.db, id, { next_run: nextRun(cron, now), ran })
}

/** Why a cron must be stopped; undefined if it continues. */
function endReason({ repository, branch }: DueCron): string | undefined {
  const { active, deleted_at, invalidated_at } = repository
  if (deleted_at !== null || invalidated_at !== null) return 'the repository was deleted'
  if (!active) return 'the repository is not active'
  if (!branch.exists_on_codehost) return 'the branch no longer exists at the code host'
  return undefined
}

/** Creates a cron's request, which has no sender and is decided like an API request (RQ-24). */
async function requestBuild(tx: Transaction, { repository, branch }: DueCron): Promise<void> {
  const { id, owner_id, owner_type } = repository
  const request = await insertRequest(tx.db, {
    repository_id: id,
    owner_id,
    owner_type,
    private: repository.private,
    event_type: 'cron',
    state: 'created',
    ref: refOf('branch', branch.name),
  })
  tx.follow('request.accept', { request_id: request.id })
}
