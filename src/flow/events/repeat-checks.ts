import type { Actor } from '../../domain/audit.ts'
import { statusKinds } from '../../domain/commit/status.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { RerequestEvent } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { buildsOfCommit, findBuild, findBuildOfRequest } from '../../store/builds/builds.ts'
import { requestsAbout } from '../../store/commits/commit-statuses.ts'
import { isKnownToExist } from '../../store/repositories/branches.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import type { Database } from '../../store/tables.ts'
import { archivedReason } from '../builds/refuse-restart.ts'
import { restartBuild } from '../builds/restart-build.ts'
import type { Context } from '../context.ts'
import { announceStatuses } from '../statuses/announce-commit.ts'
import { configCheck } from '../statuses/report-check.ts'
import { checkStream } from '../statuses/streams.ts'
import { transact } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'
import { pusherOf } from './pusher-of.ts'

/**
 * Restarts the build of a check run that a user wants rerun, or all builds of a commit, if the user can
 * push. The commit's statuses and checks are posted again; a file that could not be fetched is read again.
 */
export async function repeatChecks(ctx: Context, event: RerequestEvent): Promise<EventOutcome> {
  const { sender } = event
  const { provider, codehost_id, name } = event.repository
  const repository = await findRepository(ctx.db, { provider, codehost_id })
  if (!repository) return { unknown: `unknown repository ${name}` }
  if (await isOfTag(ctx.db, repository, event)) {
    return { ignored: `${event.ref_name} is a tag: restart its build, or push it again` }
  }
  const ids = await buildsOf(ctx.db, repository, event)
  const commit = { repository_id: repository.id, sha: event.head_sha }
  if (ids.length === 0 && (await requestsAbout(ctx.db, commit)).length === 0) {
    return { ignored: `asked to repeat checks of ${commit.sha}, which has no request here` }
  }
  const by = await pusherOf(ctx, repository, sender)
  if ('ignored' in by) return by
  const archived = await archivedReason(ctx, commit)
  if (archived !== undefined) return { ignored: archived }
  const told: string[] = []
  let isAny = false
  for (const id of ids) {
    const problem = await restart(ctx, by, id)
    isAny ||= problem === undefined
    told.push(`build ${id} ${problem ?? 'was restarted'}`)
  }
  if (!isAny) told.push(`the statuses and checks of ${commit.sha} are posted again`)
  // Also checks that no restart changes: the code host shows all requested checks as open.
  await transact(ctx, async (tx) => {
    announceStatuses(tx, commit, statusKinds)
    const stream = checkStream(commit.repository_id, commit.sha)
    tx.announce('check:config', stream, { ...commit, again: true })
  })
  return { noted: told.join('; ') }
}

/** Whether a suite is of a tag, which it names like a branch. For tags, only single checks are rerun. */
async function isOfTag(
  db: Database,
  { id }: Pick<Repository, 'id'>,
  { check, ref_name }: RerequestEvent,
): Promise<boolean> {
  if (check !== null || ref_name === null) return false
  if (await isKnownToExist(db, 'branch', id, ref_name)) return false
  return isKnownToExist(db, 'tag', id, ref_name)
}

async function buildsOf(
  db: Database,
  { id }: Pick<Repository, 'id'>,
  { check, head_sha }: RerequestEvent,
): Promise<number[]> {
  if (check === null) return buildsOfCommit(db, id, head_sha)
  const number = Number(check.external_id) || 0
  const isOfFile = check.name === configCheck
  const build = await (isOfFile ? findBuildOfRequest : findBuild)(db, number)
  if (build?.repository_id !== id || (isOfFile && build.config_error !== 'fetch')) return []
  return [build.id]
}

/** Restarts a build; returns why that is impossible, or undefined if it was restarted. */
async function restart(ctx: Context, by: Actor, id: number): Promise<string | undefined> {
  try {
    return (await restartBuild(ctx, by, id)) ? undefined : 'cannot be restarted now'
  } catch (error) {
    if (error instanceof ServiceError) return `cannot be restarted: ${error.message}`
    throw error
  }
}
