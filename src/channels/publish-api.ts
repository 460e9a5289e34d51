import { channelName, type LiveMessage } from '../domain/live.ts'
import { isSameSecret } from '../secrets/signature.ts'
import { md5, signCall, type StreamingApp } from '../secrets/streaming-signature.ts'
import type { Notice } from '../store/live/notices.ts'
import { piecesOf } from './pieces.ts'

/** A call of another program that publishes events, as it was received. */
export interface PublisherCall {
  method: string
  /** Path with its query, exactly as it was received. */
  url: string
  body: Buffer
}

export interface PublisherAnswer {
  status: number
  body: string
}

interface ApiParts {
  app: StreamingApp
  now(): Date
  count(channel: string): number
  occupied(): string[]
  /** Has all processes publish it. */
  send(notices: readonly Notice[]): Promise<void>
}

/** Seconds by which the clock of a publisher may differ. */
const mostSeconds = 600
const mostData = 10 * 1024
const mostChannels = 100
const mostOfBatch = 10

/** A refusal of a call. */
class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The signed HTTP interface: publishes events of other programs, and lists channels. */
export function createPublisherApi(
  parts: ApiParts,
): (call: PublisherCall) => Promise<PublisherAnswer> {
  return async (call) => {
    try {
      return { status: 200, body: JSON.stringify(await answer(parts, call)) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { status: error.status, body: error.message }
    }
  }
}

async function answer(parts: ApiParts, call: PublisherCall): Promise<object> {
  const [path = '', rawQuery = ''] = call.url.split('?', 2)
  const [, id, rest = ''] = /^\/apps\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (id !== parts.app.id) throw new Refused(404, 'there is no such application')
  checkSignature(parts, call, path, rawQuery)
  const query = new URLSearchParams(rawQuery)
  if (call.method === 'POST') {
    const body = readBody(call.body)
    if (rest === 'events') return publishOne(parts, body)
    if (rest === 'batch_events') return publishBatch(parts, body)
    if (/^users\/[^/]+\/terminate_connections$/.test(rest)) return {}
  }
  if (call.method === 'GET' && rest === 'channels') return listChannels(parts, query)
  if (call.method === 'GET' && rest.startsWith('channels/')) {
    return showChannel(parts, rest.slice('channels/'.length), query)
  }
  throw new Refused(404, 'there is no such call')
}

/** Reads the raw query: not all libraries escape its values, and none signs escaped ones. */
function checkSignature(
  { app, now }: ApiParts,
  { method, body }: PublisherCall,
  path: string,
  rawQuery: string,
): void {
  const pairs = rawQuery.split('&').map((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? ([pair, ''] as const) : ([pair.slice(0, at), pair.slice(at + 1)] as const)
  })
  const valueOf = (name: string) => pairs.find(([each]) => each === name)?.[1] ?? ''
  const signed = pairs.filter(([name]) => name !== 'auth_signature')
  const plain = signed.map(([name, value]) => [name, unescaped(value)] as const)
  const isSigned = [signed, plain].some((query) =>
    isSameSecret(signCall(app.secret, { method, path, query }), valueOf('auth_signature')),
  )
  if (valueOf('auth_key') !== app.key || !isSigned) {
    throw new Refused(401, 'auth_key or auth_signature is wrong')
  }
  const seconds = Math.abs(now().getTime() / 1000 - Number(valueOf('auth_timestamp')))
  if (!(seconds <= mostSeconds)) {
    throw new Refused(401, `auth_timestamp is not within ${mostSeconds} s of this server's time`)
  }
  if (body.length > 0 && valueOf('body_md5') !== md5(body)) {
    throw new Refused(401, 'body_md5 is not that of the body')
  }
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function readBody(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const read = JSON.parse(body.toString()) as unknown
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>
  } catch {}
  throw new Refused(400, 'the body must be a JSON object')
}

async function publishOne(parts: ApiParts, body: Readonly<Record<string, unknown>>) {
  const channels = Array.isArray(body.channels) ? body.channels : [body.channel]
  await sendAll(parts, [readEvent({ ...body, channels })])
  if (body.info === undefined) return {}
  const counted = channels.map((channel) => [channel, countOf(parts, String(channel))])
  return { channels: Object.fromEntries(counted) as object }
}

async function publishBatch(parts: ApiParts, { batch }: Readonly<Record<string, unknown>>) {
  if (!Array.isArray(batch) || batch.length > mostOfBatch) {
    throw new Refused(400, `batch must be a list of at most ${mostOfBatch} events`)
  }
  const bodies = batch.map((each: unknown) => each as Readonly<Record<string, unknown>> | null)
  await sendAll(
    parts,
    bodies.map((body) => readEvent({ ...body, channels: [body?.channel] })),
  )
  if (bodies.every((body) => body?.info === undefined)) return {}
  return { batch: bodies.map((body) => countOf(parts, String(body?.channel))) }
}

function readEvent({
  name,
  data,
  channels,
  socket_id,
}: Readonly<Record<string, unknown>>): LiveMessage {
  if (!isText(name) || name === '' || name.length > 200) {
    throw new Refused(400, 'name must be a text of 1 to 200 characters')
  }
  if (!isText(data)) throw new Refused(400, 'data must be a text')
  if (Buffer.byteLength(data) > mostData)
    throw new Refused(413, `data has more than ${mostData} bytes`)
  const names = channels as readonly unknown[]
  if (names.length === 0 || names.length > mostChannels || !names.every(isChannel)) {
    throw new Refused(400, `channels must be 1 to ${mostChannels} valid names of channels`)
  }
  return { event: name, data, channels: names, ...(isText(socket_id) ? { except: socket_id } : {}) }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isChannel = (value: unknown): value is string => isText(value) && channelName.test(value)

async function sendAll({ send }: ApiParts, events: readonly LiveMessage[]): Promise<void> {
  await send(events.flatMap((event) => piecesOf(event)))
}

function countOf({ count }: ApiParts, channel: string) {
  return { subscription_count: count(channel) }
}

function listChannels({ occupied }: ApiParts, query: URLSearchParams) {
  const prefix = query.get('filter_by_prefix') ?? ''
  if (query.get('info')?.split(',').includes('user_count')) throw noPresence()
  const channels = occupied().filter((channel) => channel.startsWith(prefix))
  return { channels: Object.fromEntries(channels.map((channel) => [channel, {}])) as object }
}

function showChannel({ count }: ApiParts, name: string, query: URLSearchParams) {
  if (name.endsWith('/users')) throw noPresence()
  const info = query.get('info')?.split(',') ?? []
  if (info.includes('user_count')) throw noPresence()
  const subscription_count = count(unescaped(name))
  const occupied = subscription_count > 0
  return info.includes('subscription_count') ? { occupied, subscription_count } : { occupied }
}

const noPresence = () => new Refused(400, 'there are no presence channels here')
