import { ServiceError } from '../../domain/errors.ts'
import type { CheckActionEvent } from '../../domain/event.ts'
import { approveAction } from '../../domain/request/approval.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { findRequest, findRequestOfBuild } from '../../store/requests/requests.ts'
import type { Context } from '../context.ts'
import { approveRequest } from '../requests/approve-request.ts'
import { buildCheckName, requestOfRun } from '../statuses/report-build-check.ts'
import { configCheck } from '../statuses/report-check.ts'
import type { EventOutcome } from './event-outcome.ts'
import { pusherOf } from './pusher-of.ts'

/**
 * Carries out a check run's button, if the user who pressed it can push: approves the fork's commit that
 * the check is about, and no other commit.
 */
export async function actOnCheck(ctx: Context, event: CheckActionEvent): Promise<EventOutcome> {
  const { check, identifier, head_sha, sender } = event
  const { provider, codehost_id, name } = event.repository
  const repository = await findRepository(ctx.db, { provider, codehost_id })
  if (!repository) return { unknown: `unknown repository ${name}` }
  const id = Number(check.external_id) || 0
  const isOfBuild = check.name === buildCheckName('pr', ctx.config)
  if (identifier !== approveAction || !(isOfBuild || check.name === configCheck)) {
    return { ignored: `this check has no button ${identifier}` }
  }
  const unbuilt = isOfBuild ? requestOfRun(check.external_id) : id
  const request = unbuilt
    ? await findRequest(ctx.db, unbuilt)
    : await findRequestOfBuild(ctx.db, id)
  if (request?.repository_id !== repository.id || request.head_commit !== head_sha) {
    return { ignored: `there is no request about ${head_sha} that could be approved` }
  }
  const by = await pusherOf(ctx, repository, sender)
  if ('ignored' in by) return by
  try {
    await approveRequest(ctx, by, request.id)
  } catch (error) {
    if (error instanceof ServiceError) return { ignored: error.message }
    throw error
  }
  return { noted: `${sender.login} approved ${head_sha}` }
}
