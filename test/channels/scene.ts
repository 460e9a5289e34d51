import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '../../src/config/config.ts'
import { createServer } from '../../src/http/server.ts'
import { type Live, openLive } from '../../src/service/open/open-live.ts'
import { type TestContext, testContext } from '../support/context.ts'
import type { TestDatabase } from '../support/database.ts'

export interface Served {
  ctx: TestContext
  live: Live
  host: string
  port: number
  url: string
  close(): Promise<void>
}

export const app = { id: 'ours', key: 'streaming-key', secret: 'streaming-secret' }

const settings = {
  DATA_DIR: '/nowhere',
  PUBLIC_URL: 'https://ci.example.org',
  ROLE: 'web',
  STREAMING_APP_ID: app.id,
  STREAMING_KEY: app.key,
  STREAMING_SECRET: app.secret,
}

/** Serves a database over HTTP, with its live events, as one of its web processes. */
export async function serve(
  { db, connection }: TestDatabase,
  {
    change = () => {},
    env = {},
    port: wanted = 0,
  }: { change?: (ctx: TestContext) => void; env?: object; port?: number } = {},
): Promise<Served> {
  const ctx = testContext(db)
  ctx.now = () => new Date()
  change(ctx)
  const live = await openLive(ctx, readConfig({ ...settings, ...env }), { connection })
  if (live.streaming) ctx.streaming = live.streaming
  const server = await createServer(ctx)
  live.serve(server.server)
  await server.listen({ host: '127.0.0.1', port: wanted })
  const { port } = server.server.address() as AddressInfo
  async function close() {
    await live.close()
    await server.close()
  }
  return { ctx, live, host: '127.0.0.1', port, url: `http://127.0.0.1:${port}`, close }
}

export interface Message {
  event: string
  channel?: string
  data?: unknown
}

/** A bare connection, which sees every message. */
export interface Client {
  socket: WebSocket
  id: string
  seen: Message[]
  send(message: unknown): void
  /** Resolves with the next message of this kind that was not yet returned. */
  next(event: string): Promise<Message>
  subscribe(channel: string, auth?: string): Promise<Message>
  /** The code with which the connection ended. */
  closed: Promise<number>
}

export async function connect({ port }: Pick<Served, 'port'>, key = app.key): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/${key}?protocol=7&client=test&version=1`)
  onTestFinished(() => socket.terminate())
  const seen: Message[] = []
  const taken = new Set<Message>()
  let wake = () => {}
  socket.on('message', (bytes: Buffer) => {
    seen.push(JSON.parse(bytes.toString()) as Message)
    wake()
  })
  const closed = once(socket, 'close').then(([code]) => Number(code))
  const found = (isWanted: (message: Message) => boolean) => {
    const message = seen.find((each) => !taken.has(each) && isWanted(each))
    if (message) taken.add(message)
    return message
  }
  async function wait(isWanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const message = found(isWanted)
      if (message) return message
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const client: Client = {
    socket,
    id: '',
    seen,
    closed,
    send: (message) => socket.send(JSON.stringify(message)),
    next: (event) => wait((message) => message.event === event),
    subscribe(channel, auth) {
      client.send({ event: 'pusher:subscribe', data: { channel, auth } })
      return wait((message) => message.channel === channel && /subscription_/.test(message.event))
    },
  }
  if (key !== app.key) return client
  const established = await client.next('pusher:connection_established')
  const { socket_id } = JSON.parse(String(established.data)) as { socket_id: string }
  client.id = socket_id
  return client
}

/** The signatures that `POST /streaming/auth` returns, by channel. */
export async function signed(
  { url }: Pick<Served, 'url'>,
  socket_id: string,
  channels: readonly string[],
  token?: string,
): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/streaming/auth`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `token ${token}` }),
    },
    body: JSON.stringify({ socket_id, channels }),
  })
  return ((await answer.json()) as { channels?: Record<string, string> }).channels ?? {}
}
