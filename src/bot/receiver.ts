import { AsyncLocalStorage } from 'node:async_hooks'
import type { Probot } from 'probot'
import type { DeliveryEnd } from '../domain/delivery.ts'
import { overtakenText } from '../domain/request/superseded-push.ts'
import type { Context } from '../flow/context.ts'
import { actOnCheck } from '../flow/events/act-on-check.ts'
import { endMergeGroup } from '../flow/events/end-merge-group.ts'
import type { EventOutcome } from '../flow/events/event-outcome.ts'
import { followAccount } from '../flow/events/follow-account.ts'
import { followAuthorization } from '../flow/events/follow-authorization.ts'
import { followInstallation } from '../flow/events/follow-installation.ts'
import { followMember } from '../flow/events/follow-member.ts'
import { followOrganization } from '../flow/events/follow-organization.ts'
import { followRepository } from '../flow/events/follow-repository.ts'
import { followTeam } from '../flow/events/follow-team.ts'
import { receiveEvent } from '../flow/events/receive-event.ts'
import { repeatChecks } from '../flow/events/repeat-checks.ts'
import { type AnyEvent, bot } from './bot.ts'
import { misnamed } from './misnamed.ts'
import type { Origin } from './payload.ts'
import { wrongType } from './wrong-type.ts'

interface IncomingDelivery {
  id: number
  guid: string
  provider: Origin['provider']
  event: string
  payload: unknown
}

interface CurrentDelivery extends Origin {
  received: EventOutcome[]
}

/**
 * Loads the bot into Probot and returns the function that passes it one delivery. Probot calls
 * handlers with the payload alone, so the rest of the delivery is kept in an AsyncLocalStorage.
 */
export function createReceiver(ctx: Context, probot: Probot) {
  const current = new AsyncLocalStorage<CurrentDelivery>()

  async function receive(event: AnyEvent): Promise<void> {
    const received = await handleEvent(ctx, event)
    current.getStore()?.received.push(received)
  }

  const loaded = probot.load((app) => {
    bot(app, { origin: () => current.getStore() ?? unknownOrigin, receive })
  })

  return async ({ id, guid, provider, event, payload }: IncomingDelivery): Promise<DeliveryEnd> => {
    await loaded
    const mistake = misnamed(event, payload)
    if (mistake !== undefined) return { result: 'ignored', outcome: mistake }
    const wrong = wrongType(event, payload)
    if (wrong !== undefined) return { result: 'error', outcome: wrong }
    const received: EventOutcome[] = []
    try {
      await current.run({ delivery_id: id, provider, received }, () =>
        probot.receive({ id: guid, name: event, payload } as Parameters<Probot['receive']>[0]),
      )
    } catch (error) {
      throw withoutPayload(error)
    }
    const [end = { result: 'ignored', outcome: `${event} is not handled` }] = received.map(endOf)
    return end
  }
}

const unknownOrigin: Origin = { delivery_id: null, provider: 'codehost' }

/** The verb for each type of event. */
const verbs: { readonly [T in AnyEvent['type']]: Verb<T> } = {
  push: receiveEvent,
  pull_request: receiveEvent,
  merge_group: (ctx, event) =>
    event.action === 'destroyed' ? endMergeGroup(ctx, event) : receiveEvent(ctx, event),
  ref: receiveEvent,
  repository: followRepository,
  installation: followInstallation,
  account: followAccount,
  authorization: followAuthorization,
  organization: followOrganization,
  team: followTeam,
  member: followMember,
  rerequest: repeatChecks,
  check_action: actOnCheck,
}

type EventOf<T extends AnyEvent['type']> = Extract<AnyEvent, { type: T }>
type Verb<T extends AnyEvent['type']> = (ctx: Context, event: EventOf<T>) => Promise<EventOutcome>

function handleEvent<T extends AnyEvent['type']>(
  ctx: Context,
  event: EventOf<T> & { type: T },
): Promise<EventOutcome> {
  const verb: Verb<T> = verbs[event.type]
  return verb(ctx, event)
}

/** The error thrown by the handler. Probot attaches the whole event to it, which must not be logged. */
function withoutPayload(error: unknown): unknown {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  if (first instanceof Error && 'event' in first) delete first.event
  return first
}

function endOf(received: EventOutcome): DeliveryEnd {
  if ('request' in received) {
    const late = overtakenText(received.request)
    const created = `created request ${received.request.id}`
    const outcome = late === undefined ? created : `${created}, late: the branch ${late}`
    return { result: 'request', outcome }
  }
  if ('noted' in received) return { result: 'noted', outcome: received.noted }
  if ('ignored' in received) return { result: 'ignored', outcome: received.ignored }
  return { result: 'unknown', outcome: received.unknown }
}
