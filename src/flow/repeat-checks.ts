import type { Actor } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import type { RerequestEvent } from '../domain/event.ts'
import type { Repository } from '../domain/repository.ts'
import { statusKinds } from '../domain/status.ts'
import { isKnownToExist } from '../store/branches.ts'
import { buildsOfCommit, findBuild, findBuildOfRequest } from '../store/builds.ts'
import { findRepository } from '../store/repositories.ts'
import type { Database } from '../store/tables.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { pusherOf } from './event/pusher-of.ts'
import { requestsAbout } from '../store/commit-statuses.ts'
import { announceStatuses } from './report/announce-commit.ts'
import { archivedReason } from './build/refuse-of-archived.ts'
import { configCheck } from './report/report-check.ts'
import { checkStream } from './report/streams.ts'
import { restartBuild } from './restart-build.ts'
import { transact } from './transact.ts'

/**
 * Restarts the build of a check run that is asked for again, or all builds of a commit, if the one who
 * asks can push. The check of a build file is posted again, and so is that of a commit without a build; a file
 * that could not be fetched is read again.
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
    return { ignored: `asked to repeat checks of ${commit.sha}, of which there is no request here` }
  }
  const by = await pusherOf(ctx, repository, sender)
  if ('ignored' in by) return by
  if (ids.length === 0) {
    const archived = await archivedReason(ctx, commit)
    if (archived !== undefined) return { ignored: archived }
    await transact(ctx, async (tx) => {
      announceStatuses(tx, commit, statusKinds)
      const stream = checkStream(commit.repository_id, commit.sha)
      tx.announce('check:config', stream, { ...commit, again: true })
    })
    return { noted: `what is shown of ${commit.sha} is posted again` }
  }
  const told: string[] = []
  let isAny = false
  for (const id of ids) {
    const problem = await restart(ctx, by, id)
    isAny ||= problem === undefined
    told.push(`build ${id} ${problem ?? 'was restarted'}`)
  }
  return isAny ? { noted: told.join('; ') } : { ignored: told.join('; ') }
}

/** Its suite names a tag like a branch. Of tags only single checks are repeated. */
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

/** Why it cannot be restarted; undefined if it was. */
async function restart(ctx: Context, by: Actor, id: number): Promise<string | undefined> {
  try {
    return (await restartBuild(ctx, by, id)) ? undefined : 'cannot be restarted now'
  } catch (error) {
    if (error instanceof ServiceError) return `cannot be restarted: ${error.message}`
    throw error
  }
}
