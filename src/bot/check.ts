import type { Context } from 'probot'
import type { CheckActionEvent, RerequestEvent } from '../domain/event.ts'
import { factsOf, type Origin } from './payload.ts'

export function checkRunRerequest(
  payload: Context<'check_run.rerequested'>['payload'],
  origin: Origin,
): RerequestEvent {
  const { name, head_sha, external_id } = payload.check_run
  const check = { name, external_id: external_id || null }
  return { ...factsOf(payload, origin), type: 'rerequest', head_sha, check, ref_name: null }
}

export function checkSuiteRerequest(
  payload: Context<'check_suite.rerequested'>['payload'],
  origin: Origin,
): RerequestEvent {
  const { head_sha, head_branch: ref_name } = payload.check_suite
  return { ...factsOf(payload, origin), type: 'rerequest', head_sha, check: null, ref_name }
}

export function checkAction(
  payload: Context<'check_run.requested_action'>['payload'],
  origin: Origin,
): CheckActionEvent {
  const { name, head_sha, external_id } = payload.check_run
  return {
    ...factsOf(payload, origin),
    type: 'check_action',
    head_sha,
    check: { name, external_id: external_id || null },
    identifier: payload.requested_action?.identifier ?? '',
  }
}
