import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../support/database.ts'
import { app, connect, type Served, serve } from './scene.ts'

const database = await ownDatabase()
let service: Served

beforeAll(async () => {
  service = await serve(database)
})
afterAll(() => service.close())

const publish = (channel: string, data: string) =>
  service.live.channels?.publish({ channels: [channel], event: 'told', data })

describe('a connection', () => {
  test('has a unique id in the form that publishers expect', async () => {
    const [one, two] = [await connect(service), await connect(service)]
    expect(one.id).toMatch(/^\d+\.\d+$/)
    expect(two.id).not.toBe(one.id)
  })

  test('with an unknown key is closed permanently, and never established', async () => {
    const client = await connect(service, 'unknown')
    expect(await client.closed).toBe(4001)
    expect(client.seen).toEqual([
      { event: 'pusher:error', data: { code: 4001, message: expect.stringContaining('/config') } },
    ])
  })

  test('gets a pong for each ping', async () => {
    const client = await connect(service)
    client.send({ event: 'pusher:ping', data: {} })
    expect(await client.next('pusher:pong')).toEqual({ event: 'pusher:pong', data: '{}' })
  })

  test('gets no more events once it has unsubscribed', async () => {
    const client = await connect(service)
    await client.subscribe('news')
    client.send({ event: 'pusher:unsubscribe', data: { channel: 'news' } })
    client.send({ event: 'pusher:ping', data: {} })
    await client.next('pusher:pong')
    publish('news', 'x')
    client.send({ event: 'pusher:ping', data: {} })
    await client.next('pusher:pong')
    expect(client.seen.filter(({ event }) => event === 'told')).toEqual([])
  })

  test.each([
    ['a client event', { event: 'client-x', channel: 'private-job-1', data: {} }, 4301],
    ['a sign-in', { event: 'pusher:signin', data: { auth: 'a:b', user_data: '{}' } }, 4009],
  ])('that sends %s stays open', async (_what, message, code) => {
    const client = await connect(service)
    client.send(message)
    const { data } = await client.next('pusher:error')
    expect(data).toEqual({ code, message: expect.any(String) })
    expect((await client.subscribe('news')).event).toBe('pusher_internal:subscription_succeeded')
  })

  test.each([
    ['not JSON', '{'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', '[]'],
    ['no event', '{"data":{}}'],
    ['a channel that is not a string', '{"event":"pusher:subscribe","data":{"channel":{}}}'],
    ['data that is a string', '{"event":"pusher:subscribe","data":"job-1"}'],
    ['deep nesting', '['.repeat(8000)],
  ])('survives a message with %s', async (_what, text) => {
    const client = await connect(service)
    client.socket.send(text)
    client.socket.send(Buffer.from(text), { binary: true })
    expect((await client.subscribe('news')).event).toBe('pusher_internal:subscription_succeeded')
  })

  test.each([
    ['presence-job-1', 403],
    ['private-encrypted-job-1', 403],
    ['a b', 400],
    ['é', 400],
    ['', 400],
    ['x'.repeat(201), 400],
    ['#server-to-user-1', 400],
  ])('cannot subscribe to %s', async (channel, status) => {
    const client = await connect(service)
    const { event, data } = await client.subscribe(channel, `${app.key}:x`)
    expect(event).toBe('pusher:subscription_error')
    expect(JSON.parse(String(data))).toMatchObject({ status })
  })

  test('has at most 200 channels', async () => {
    const client = await connect(service)
    for (let number = 0; number < 200; number += 1) await client.subscribe(`news-${number}`)
    const { event, data } = await client.subscribe('one-more')
    expect(event).toBe('pusher:subscription_error')
    expect(JSON.parse(String(data))).toMatchObject({ status: 429 })
  })

  test('that sends a frame of 1 MB is closed', async () => {
    const client = await connect(service)
    client.socket.send('x'.repeat(1_000_000))
    expect(await client.closed).toBe(1009)
  })

  test('that does not read is closed at 1 MB of backlog, with a code that makes clients reconnect', async () => {
    const slow = await connect(service)
    const quick = await connect(service)
    for (const client of [slow, quick]) await client.subscribe('flood')
    slow.socket.pause()
    let sent = 0
    while (service.live.channels?.count('flood') === 2 && sent < 200) {
      publish('flood', 'x'.repeat(100_000))
      sent += 1
      await quick.next('told')
    }
    expect(service.live.channels?.count('flood')).toBe(1)
    slow.socket.resume()
    expect(await slow.closed).toBe(4200)
    expect(slow.seen.at(-1)).toEqual({
      event: 'pusher:error',
      data: { code: 4200, message: expect.any(String) },
    })
  })
})

async function open(text: string): Promise<{ socket: Socket; answer: string }> {
  const socket = connectSocket(service.port, service.host)
  socket.write(text)
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return { socket, answer: bytes.toString() }
}

const upgrade = (path: string, protocol = 'websocket') =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: ci.example.org',
    'Connection: Upgrade',
    `Upgrade: ${protocol}`,
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    '',
    '',
  ].join('\r\n')

describe('an upgrade', () => {
  test('to another path is refused', async () => {
    const { socket, answer } = await open(upgrade('/jobs/1'))
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  })

  test('with two Host headers is refused', async () => {
    const text = upgrade('/app/key').replace('Host:', 'hOST: other.example.org\r\nHost:')
    const { socket, answer } = await open(text)
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain('the request has more than one Host header: send one')
  })

  test('to another protocol is ignored, and the request is served', async () => {
    const { socket, answer } = await open(upgrade('/uptime', 'h2c'))
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('to another protocol keeps the body of its request', async () => {
    const body = JSON.stringify({ socket_id: '1.2', channels: ['job-1'] })
    const { socket, answer } = await open(
      [
        'POST /streaming/auth HTTP/1.1',
        'Host: ci.example.org',
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    )
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain('"job-1"')
  })

  test('is refused with 503 once an address has 500 connections, even idle ones, while webhooks are served', async () => {
    const idle: Socket[] = []
    const path = `/app/${app.key}?protocol=7`
    let last = ''
    do {
      const { socket, answer } = await open(upgrade(path))
      idle.push(socket)
      last = answer
    } while (last.startsWith('HTTP/1.1 101 '))
    expect(last).toMatch(/^HTTP\/1\.1 503 /)
    expect(idle.length).toBeGreaterThan(400)
    expect((await fetch(`${service.url}/webhooks/codehost`, { method: 'POST' })).status).toBe(422)
    for (const socket of idle) socket.destroy()
    // Their places are free again.
    await expect.poll(async () => (await open(upgrade(path))).answer).toMatch(/^HTTP\/1\.1 101 /)
  })
})
