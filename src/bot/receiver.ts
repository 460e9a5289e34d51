import { AsyncLocalStorage } from 'node:async_hooks'
import type { Probot } from 'probot'
import type { CodehostEvent } from '../domain/event.ts'
import type { Context } from '../flow/context.ts'
import { receiveEvent } from '../flow/receive-event.ts'
import { bot } from './bot.ts'
import type { Origin } from './payload.ts'

interface Incoming {
  id: number
  guid: string
  provider: Origin['provider']
  event: string
  payload: unknown
}

interface Reception extends Origin {
  outcomes: string[]
  failed: boolean
}

/**
 * Loads the bot into Probot and answers the function that hands it one delivery. Probot calls
 * handlers with the payload alone, so what else is known of the delivery travels beside the call.
 */
export function createReceiver(ctx: Context, probot: Probot) {
  const current = new AsyncLocalStorage<Reception>()

  async function receive(event: CodehostEvent): Promise<void> {
    const reception = current.getStore()
    const received = await receiveEvent(ctx, event)
    if (!reception) return
    reception.outcomes.push(inWords(received))
    reception.failed ||= 'unknown' in received
  }

  const loaded = probot.load((app) => {
    bot(app, { origin: () => current.getStore() ?? nowhere, receive })
  })

  return async ({ id, guid, provider, event, payload }: Incoming) => {
    await loaded
    const reception: Reception = { delivery_id: id, provider, outcomes: [], failed: false }
    await current.run(reception, () =>
      probot.receive({ id: guid, name: event, payload } as Parameters<Probot['receive']>[0]),
    )
    const { outcomes, failed } = reception
    return { outcome: outcomes.join('; ') || `${event} is not acted upon`, failed }
  }
}

const nowhere: Origin = { delivery_id: null, provider: 'codehost' }

function inWords(received: Awaited<ReturnType<typeof receiveEvent>>): string {
  if ('request' in received) return `made request ${received.request.id}`
  return 'ignored' in received ? received.ignored : received.unknown
}
