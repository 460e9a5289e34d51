import { createRequire } from 'node:module'
import { Probot } from 'probot'
import { createReceiver } from '../../src/bot/receiver.ts'
import type { Delivery } from '../../src/domain/delivery.ts'
import { acceptDeliveries } from '../../src/flow/deliveries/deliveries.ts'
import { createServer } from '../../src/http/server.ts'
import { sign } from '../../src/secrets/signature.ts'
import type { Database } from '../../src/store/tables.ts'
import { processDelivery } from '../../src/worker/processors/process-delivery.ts'
import { type TestContext, testLog } from '../support/context.ts'

export interface Example {
  action?: string
  repository?: { id: number }
  [member: string]: unknown
}

/** Payloads that the code host has once sent, by event. */
export const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
  name: string
  examples: Example[]
}[]

/** The example of an event with this action. */
export function exampleOf(event: string, action?: string): Example {
  const found = examples.find(({ name }) => name === event)?.examples
  const payload = found?.find((each) => action === undefined || each.action === action)
  if (!payload) throw new Error(`there is no example of ${event} ${action}`)
  return payload
}

const receiverFor = (ctx: TestContext) =>
  createReceiver(ctx, new Probot({ githubToken: 'unused', log: testLog }))

/**
 * Delivers signed webhooks to the endpoint, and processes each immediately, in this context
 * unless another is given. Returns the outcome; nothing for webhooks that are not kept.
 */
export async function openDoor(db: Database, ctx: TestContext) {
  let current = { ctx, receive: receiverFor(ctx) }
  ctx.intake.accept = async (delivery) => {
    const [isNew] = await acceptDeliveries({ db, enqueueDeliveries() {} }, [delivery])
    return isNew === true
  }
  const server = await createServer(ctx)
  let count = 0

  return async (event: string, payload: unknown, given = ctx): Promise<Delivery | undefined> => {
    if (given !== current.ctx) current = { ctx: given, receive: receiverFor(given) }
    const tools = current
    const body = Buffer.from(JSON.stringify(payload))
    const guid = `guid-${(count += 1)}`
    const answer = await server.inject({
      method: 'POST',
      url: '/webhooks/codehost',
      payload: body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': guid,
        'x-hub-signature-256': sign('secret', body),
      },
    })
    if (answer.statusCode !== 204) throw new Error(`the door answered ${answer.statusCode}`)
    const stored = () => db.selectFrom('deliveries').selectAll().where('guid', '=', guid)
    const kept = await stored().executeTakeFirst()
    if (kept) await processDelivery.process({ delivery_ids: [kept.id] }, tools)
    return stored().executeTakeFirst()
  }
}
