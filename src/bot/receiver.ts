import { AsyncLocalStorage } from 'node:async_hooks'
import type { Probot } from 'probot'
import type { DeliveryEnd } from '../domain/delivery.ts'
import { overtakenText } from '../domain/request/overtaken.ts'
import type { Context } from '../flow/context.ts'
import { actOnCheck } from '../flow/act-on-check.ts'
import type { EventOutcome } from '../flow/event/event-outcome.ts'
import { endMergeGroup } from '../flow/end-merge-group.ts'
import { followAccount } from '../flow/follow-account.ts'
import { followAuthorization } from '../flow/follow-authorization.ts'
import { followInstallation } from '../flow/follow-installation.ts'
import { followMember } from '../flow/follow-member.ts'
import { followOrganization } from '../flow/follow-organization.ts'
import { followRepository } from '../flow/follow-repository.ts'
import { followTeam } from '../flow/follow-team.ts'
import { receiveEvent } from '../flow/receive-event.ts'
import { repeatChecks } from '../flow/repeat-checks.ts'
import { type AnyEvent, bot } from './bot.ts'
import { misnamed } from './misnamed.ts'
import type { Origin } from './payload.ts'

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

function handleEvent(ctx: Context, event: AnyEvent): Promise<EventOutcome> {
  if (event.type === 'installation') return followInstallation(ctx, event)
  if (event.type === 'account') return followAccount(ctx, event)
  if (event.type === 'authorization') return followAuthorization(ctx, event)
  if (event.type === 'organization') return followOrganization(ctx, event)
  if (event.type === 'team') return followTeam(ctx, event)
  if (event.type === 'member') return followMember(ctx, event)
  if (event.type === 'rerequest') return repeatChecks(ctx, event)
  if (event.type === 'check_action') return actOnCheck(ctx, event)
  if (event.type === 'merge_group' && event.action === 'destroyed') return endMergeGroup(ctx, event)
  return event.type === 'repository' ? followRepository(ctx, event) : receiveEvent(ctx, event)
}

/** What the handler threw. Probot attaches the whole event to it, which must not be logged. */
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
