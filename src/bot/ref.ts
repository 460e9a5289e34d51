import type { Context } from 'probot'
import type { RefEvent } from '../domain/event.ts'
import { factsOf, type Origin } from './payload.ts'

type RefPayload = Context<'create'>['payload'] | Context<'delete'>['payload']

export function refEvent(payload: RefPayload, exists: boolean, origin: Origin): RefEvent {
  return {
    ...factsOf(payload, origin),
    type: 'ref',
    ref_type: payload.ref_type,
    name: payload.ref,
    exists,
  }
}
