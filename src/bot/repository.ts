import type { Context } from 'probot'
import type { RepositoryEvent } from '../domain/event.ts'
import { factsOf, type Origin } from './payload.ts'

export function repositoryEvent(
  payload: Context<'repository'>['payload'],
  origin: Origin,
): RepositoryEvent {
  return { ...factsOf(payload, origin), type: 'repository', action: payload.action }
}
