// A signature covers only a body: neither the event's name nor the number of the delivery is
// signed.
import { beforeEach, describe, expect, test } from 'vitest'
import { automaticEvents, isHandled, subscribedEvents } from '../../src/domain/event.ts'
import { acceptDeliveries } from '../../src/flow/deliveries/deliveries.ts'
import { createServer } from '../../src/http/server.ts'
import { sign } from '../../src/secrets/signature.ts'
import { exampleOf, openDoor } from '../bot/door.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const codehost = memoryCodehost()
const ctx = testContext(db, { codehost })
const deliver = await openDoor(db, ctx)
const push = exampleOf('push')

beforeEach(async () => {
  await factories(db).repository({ codehost_id: push.repository?.id ?? 0 })
})

const requests = () => db.selectFrom('requests').selectAll().orderBy('id').execute()
const kept = async () => ({
  repositories: await db.selectFrom('repositories').selectAll().execute(),
  permissions: await db.selectFrom('permissions').selectAll().execute(),
  installations: await db.selectFrom('installations').selectAll().execute(),
  // The sender's role is fetched from the code host again, whatever the event claims.
  users: await db.selectFrom('users').select(['id', 'login', 'blocked_at']).execute(),
})

describe('forged webhook', () => {
  test.each([
    ['signed with another secret', (body: Buffer) => sign('guessed', body)],
    ['with the signature of another body', () => sign('secret', Buffer.from('{}'))],
    [
      'with the signature of this machine’s repositories',
      (body: Buffer) => sign('local secret', body),
    ],
    ['without a signature', () => undefined],
  ])('%s builds nothing, and is not stored', async (_how, signed) => {
    const server = await createServer({
      ...ctx,
      intake: {
        ...ctx.intake,
        accept: async (delivery) =>
          (await acceptDeliveries({ db, enqueueDeliveries() {} }, [delivery]))[0] === true,
      },
    })
    const body = Buffer.from(JSON.stringify(push))
    const signature = signed(body)
    const answer = await server.inject({
      method: 'POST',
      url: '/webhooks/codehost',
      payload: body,
      headers: {
        ...{ 'content-type': 'application/json', 'x-github-event': 'push' },
        'x-github-delivery': 'forged',
        ...(signature === undefined ? {} : { 'x-hub-signature-256': signature }),
      },
    })
    expect(answer.statusCode).toBe(401)
    expect(await db.selectFrom('deliveries').select('guid').execute()).toEqual([])
    expect(await requests()).toEqual([])
  })
})

describe('replayed webhook', () => {
  test('with a new delivery id is built once', async () => {
    const first = await deliver('push', push)
    expect(first?.result).toBe('request')
    const [built] = await requests()
    for (const seconds of [0, 31 * 24 * 60 * 60]) {
      await age(db, seconds)
      expect(await deliver('push', push)).toMatchObject({
        result: 'ignored',
        outcome: `duplicate of webhook ${first?.guid}: the same event was received before and is processed only once; see that webhook for its result`,
      })
    }
    expect(await requests()).toMatchObject([{ id: built?.id }])
  })

  const misnamed = {
    ...{ state: 'processed', result: 'ignored', attempts: 1 },
    outcome: expect.stringMatching(/^the body does not match the event \w+: it has (no|a member) /),
  }
  const others = [...subscribedEvents, ...automaticEvents].filter((name) => name !== 'push')

  test.each([...others, 'ping', 'nothing', '__proto__', 'push.created'])(
    "under another event's name builds and changes nothing: %s",
    async (name) => {
      await deliver('push', push)
      const before = { requests: await requests(), ...(await kept()) }
      const ended = isHandled(name, null) ? [misnamed] : []
      // The same bytes would be dropped before the event's name is checked.
      const replayed = await deliver(name, { ...push, compare: name })
      expect(replayed ? [replayed] : []).toMatchObject(ended)
      expect({ requests: await requests(), ...(await kept()) }).toEqual(before)
    },
  )
})
