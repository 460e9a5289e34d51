import { AsyncLocalStorage } from 'node:async_hooks'
import type { Probot } from 'probot'
import type { CodehostEvent, InstallationEvent } from '../domain/event.ts'
import type { Context } from '../flow/context.ts'
import type { EventOutcome } from '../flow/event/event-outcome.ts'
import { followInstallation } from '../flow/follow-installation.ts'
import { followRepository } from '../flow/follow-repository.ts'
import { receiveEvent } from '../flow/receive-event.ts'
import { bot } from './bot.ts'
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

  async function receive(event: CodehostEvent | InstallationEvent): Promise<void> {
    const received = await handleEvent(ctx, event)
    current.getStore()?.received.push(received)
  }

  const loaded = probot.load((app) => {
    bot(app, { origin: () => current.getStore() ?? unknownOrigin, receive })
  })

  return async ({ id, guid, provider, event, payload }: IncomingDelivery) => {
    await loaded
    const received: EventOutcome[] = []
    try {
      await current.run({ delivery_id: id, provider, received }, () =>
        probot.receive({ id: guid, name: event, payload } as Parameters<Probot['receive']>[0]),
      )
    } catch (error) {
      throw withoutPayload(error)
    }
    return {
      outcome: received.map(outcomeText).join('; ') || `${event} is not handled`,
      failed: received.some((each) => 'unknown' in each),
    }
  }
}

const unknownOrigin: Origin = { delivery_id: null, provider: 'codehost' }

function handleEvent(
  ctx: Context,
  event: CodehostEvent | InstallationEvent,
): Promise<EventOutcome> {
  if (event.type === 'installation') return followInstallation(ctx, event)
  return event.type === 'repository' ? followRepository(ctx, event) : receiveEvent(ctx, event)
}

/** What the handler threw. Probot attaches the whole event to it, which must not be logged. */
function withoutPayload(error: unknown): unknown {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  if (first instanceof Error && 'event' in first) delete first.event
  return first
}

function outcomeText(received: EventOutcome): string {
  if ('request' in received) return `created request ${received.request.id}`
  if ('noted' in received) return received.noted
  return 'ignored' in received ? received.ignored : received.unknown
}
