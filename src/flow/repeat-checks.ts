import type { Actor } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import type { RerequestEvent } from '../domain/event.ts'
import type { Repository } from '../domain/repository.ts'
import { isKnownToExist } from '../store/branches.ts'
import { buildsOfCommit, findBuild, findBuildOfRequest } from '../store/builds.ts'
import { findRepository } from '../store/repositories.ts'
import type { Database } from '../store/tables.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { pusherOf } from './event/pusher-of.ts'
import { configCheck } from './report/report-check.ts'
import { restartBuild } from './restart-build.ts'

/**
 * Restarts the build of a check run that is asked for again, or all builds of a commit, if the one who
 * asks can push. A check of the build file is that of its request's build.
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
  if (ids.length === 0) {
    return { ignored: `asked to repeat checks of ${event.head_sha}, which has no build here` }
  }
  const by = await pusherOf(ctx, repository, sender)
  if ('ignored' in by) return by
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
  const find = check.name === configCheck ? findBuildOfRequest : findBuild
  const build = await find(db, number)
  return build?.repository_id === id ? [build.id] : []
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
