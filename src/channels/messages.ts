/** A message as it is sent: encoded once, for all connections that get it. */
export type Frame = Buffer

/** An event of a channel. Its data is a text, which clients parse. */
export function eventFrame(event: string, channel: string, data: string): Frame {
  return Buffer.from(JSON.stringify({ event, channel, data }))
}

export function establishedFrame(socket_id: string): Frame {
  const data = JSON.stringify({ socket_id, activity_timeout: 120 })
  return Buffer.from(JSON.stringify({ event: 'pusher:connection_established', data }))
}

export const pongFrame: Frame = Buffer.from('{"event":"pusher:pong","data":"{}"}')

export const subscribedFrame = (channel: string): Frame =>
  eventFrame('pusher_internal:subscription_succeeded', channel, '{}')

/** Tells why a channel is refused, or no longer open to the connection. */
export function refusedFrame(channel: string, status: number, error: string): Frame {
  const type = status === 401 || status === 403 ? 'AuthError' : 'SubscriptionError'
  return eventFrame('pusher:subscription_error', channel, JSON.stringify({ type, error, status }))
}

/** An error of the connection. Its data is an object: of a text the Ruby client reads no code. */
export function errorFrame(code: number, message: string): Frame {
  return Buffer.from(JSON.stringify({ event: 'pusher:error', data: { code, message } }))
}

/** Codes of the protocol that are sent here. */
export const codes = {
  unknownApp: 4001,
  unsupportedProtocol: 4007,
  unauthorized: 4009,
  /** The client connects again at once. */
  reconnect: 4200,
  /** Never a code of a close: pusher-js would not come back. */
  clientEventRefused: 4301,
} as const

/** What a client sends. */
export interface ClientMessage {
  event: string
  channel?: unknown
  data: Readonly<Record<string, unknown>>
}

/** Undefined for anything other than a message. */
export function readMessage(text: string): ClientMessage | undefined {
  try {
    const read = JSON.parse(text) as Record<string, unknown> | null
    if (typeof read !== 'object' || typeof read?.event !== 'string') return
    const { event, channel, data } = read
    const isObject = typeof data === 'object' && data !== null
    return { event, channel, data: isObject ? (data as Record<string, unknown>) : {} }
  } catch {
    return undefined
  }
}
