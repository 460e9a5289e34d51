import Pusher from 'pusher'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { md5, signCall } from '../../src/secrets/streaming-signature.ts'
import { ownDatabase } from '../support/database.ts'
import { app, connect, type Served, serve } from './scene.ts'

const database = await ownDatabase()
let service: Served
let other: Served

beforeAll(async () => {
  service = await serve(database)
  other = await serve(database)
})
afterAll(() => Promise.all([service.close(), other.close()]))

const publisher = (secret = app.secret, appId = app.id) =>
  new Pusher({ appId, key: app.key, secret, host: service.host, port: String(service.port) })

describe('the package pusher', () => {
  test("publishes to connections of all web processes, except the sender's", async () => {
    const [own, here, there] = await Promise.all([
      connect(service),
      connect(service),
      connect(other),
    ])
    for (const client of [own, here, there]) await client.subscribe('news')
    const answer = await publisher().trigger('news', 'told', { a: 1 }, { socket_id: own.id })
    expect(answer.status).toBe(200)
    const expected = { event: 'told', channel: 'news', data: '{"a":1}' }
    expect([await here.next('told'), await there.next('told')]).toEqual([expected, expected])
    expect(own.seen.filter(({ event }) => event === 'told')).toEqual([])
  })

  test('publishes data too large for one notice, and batches in order', async () => {
    const client = await connect(other)
    await client.subscribe('news')
    const text = `é${'x'.repeat(10_200)}`
    await publisher().triggerBatch([
      { channel: 'news', name: 'first', data: text },
      { channel: 'news', name: 'second', data: 'b' },
    ])
    expect([await client.next('first'), await client.next('second')]).toEqual([
      { event: 'first', channel: 'news', data: text },
      { event: 'second', channel: 'news', data: 'b' },
    ])
  })

  test('signs channels in the same way as the service', async () => {
    const client = await connect(service)
    const { auth } = publisher().authorizeChannel(client.id, 'private-a=b@c,d;e')
    expect((await client.subscribe('private-a=b@c,d;e', auth)).event).toBe(
      'pusher_internal:subscription_succeeded',
    )
    const found = await publisher().get({
      path: '/channels/private-a=b@c,d;e',
      params: { info: 'subscription_count' },
    })
    expect(await found.json()).toEqual({ occupied: true, subscription_count: 1 })
    const all = await publisher().get({
      path: '/channels',
      params: { filter_by_prefix: 'private-' },
    })
    expect(await all.json()).toEqual({ channels: { 'private-a=b@c,d;e': {} } })
  })

  test.each([
    ['a wrong secret', () => publisher('wrong').trigger('news', 'told', {}), 401],
    ['another application', () => publisher(app.secret, 'other').trigger('news', 'told', {}), 404],
    ['too much data', () => publisher().trigger('news', 'told', 'x'.repeat(10_300)), 413],
    [
      'eleven events at once',
      () =>
        publisher().triggerBatch(
          Array.from({ length: 11 }, () => ({ channel: 'news', name: 'told', data: 'x' })),
        ),
      400,
    ],
    [
      'users of presence channels',
      () => publisher().get({ path: '/channels/presence-x/users' }),
      400,
    ],
    [
      'counts of users',
      () => publisher().get({ path: '/channels', params: { info: 'user_count' } }),
      400,
    ],
  ])('is refused with %s', async (_what, call, status) => {
    await expect(call()).rejects.toMatchObject({ status })
  })
})

/** A signed call; `change` spoils it afterwards. */
async function call(body: string, change: (query: Map<string, string>) => void = () => {}) {
  const path = `/apps/${app.id}/events`
  const query = new Map([
    ['auth_key', app.key],
    ['auth_timestamp', String(Math.floor(Date.now() / 1000))],
    ['auth_version', '1.0'],
    ['body_md5', md5(Buffer.from(body))],
  ])
  change(query)
  const signature = signCall(app.secret, { method: 'POST', path, query: [...query] })
  const search = new URLSearchParams([...query, ['auth_signature', signature]])
  const answer = await fetch(`${service.url}${path}?${search.toString()}`, { method: 'POST', body })
  return [answer.status, await answer.text()]
}

const event = JSON.stringify({ name: 'told', channel: 'news', data: 'x' })

test.each([
  ['nothing wrong', event, undefined, 200],
  [
    'a changed body',
    event,
    (query: Map<string, string>) => query.set('body_md5', md5(Buffer.from('{}'))),
    401,
  ],
  ['no hash of the body', event, (query: Map<string, string>) => query.delete('body_md5'), 401],
  [
    'an old timestamp',
    event,
    (query: Map<string, string>) => query.set('auth_timestamp', '1353088179'),
    401,
  ],
  ['no time', event, (query: Map<string, string>) => query.delete('auth_timestamp'), 401],
  ['another key', event, (query: Map<string, string>) => query.set('auth_key', 'x'), 401],
  ['no JSON', 'x', undefined, 400],
  ['a list', '[]', undefined, 400],
  ['data that is not a string', '{"name":"a","channel":"b","data":{}}', undefined, 400],
  ['an invalid channel name', '{"name":"a","channel":"b c","data":""}', undefined, 400],
  ['no channels', '{"name":"a","channels":[],"data":""}', undefined, 400],
])('a call with %s', async (_what, body, change, status) => {
  const spoil = change as ((query: Map<string, string>) => void) | undefined
  expect((await call(body, spoil))[0]).toBe(status)
})
