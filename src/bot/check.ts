import type { Context } from 'probot'
import type { RerequestEvent } from '../domain/event.ts'
import { factsOf, type Origin } from './payload.ts'

export function checkRunRerequest(
  payload: Context<'check_run.rerequested'>['payload'],
  origin: Origin,
): RerequestEvent {
  const subject = `check run ${payload.check_run.name}`
  return { ...factsOf(payload, origin), type: 'rerequest', subject }
}

export function checkSuiteRerequest(
  payload: Context<'check_suite.rerequested'>['payload'],
  origin: Origin,
): RerequestEvent {
  const subject = `the checks of commit ${payload.check_suite.head_sha}`
  return { ...factsOf(payload, origin), type: 'rerequest', subject }
}
