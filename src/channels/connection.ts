import type { WebSocket } from 'ws'
import { channelName } from '../domain/live.ts'
import { isSignedChannel, type StreamingApp } from '../secrets/streaming-signature.ts'
import type { SocketViewer } from '../store/live/notices.ts'
import {
  type ClientMessage,
  codes,
  errorFrame,
  type Frame,
  pongFrame,
  readMessage,
  refusedFrame,
  subscribedFrame,
} from './messages.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Bytes that may wait for a client in this process; the kernel's buffers come on top. */
const mostBacklog = 1024 * 1024
/** Channels to which one connection can be subscribed. */
const mostChannels = 200
/** Channels to which all connections of one address can be subscribed. */
const mostOfAddress = 5000
/** Messages that a connection can send at once, and in each second. */
const burst = 250
const perSecond = 25
/** Milliseconds that a client has to take the end of its connection. */
const closeTimeout = 5000
/** Different viewers for whom channels of one connection were signed. */
const mostViewers = 8

/** A client's connection: reads its messages, and knows its channels. */
export interface Connection {
  id: string
  /** The channels it is subscribed to. */
  channels: ReadonlySet<string>
  /** The users for whom its channels were signed. */
  viewers: readonly SocketViewer[]
  send(frame: Frame): void
  /** Channels were signed for this viewer. */
  addViewer(viewer: SocketViewer): void
  /** Ends a subscription that is no longer permitted; also the connection, if the channel is a signed one. */
  refuse(channel: string): void
  /** Ends the connection so that the client connects again, at once. */
  cut(why: string): void
  /** Sends a ping, or ends a connection that left the last two without a response. */
  ping(): void
}

interface ConnectionParts {
  id: string
  app: StreamingApp
  subscriptions: Subscriptions
  /** How many channels the connections of its address have. */
  ofAddress: { channels: number }
  /** Called after a subscription to a private channel: rights may have ended since it was signed. */
  subscribed(connection: Connection): void
}

export function createConnection(
  socket: WebSocket,
  { id, app, subscriptions, ofAddress, subscribed }: ConnectionParts,
): Connection {
  const channels = new Set<string>()
  const viewers: SocketViewer[] = []
  let isCut = false
  let unanswered = 0
  let allowance = burst
  let countedAt = performance.now()

  const connection: Connection = {
    id,
    channels,
    viewers,

    send(frame) {
      if (isCut || socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > mostBacklog) {
        connection.cut('more than 1 MB waits for this client')
        return
      }
      // As text: a browser would get a binary frame as a Blob.
      socket.send(frame, { binary: false })
    },

    addViewer(viewer) {
      const isKnown = viewers.some(
        (known) => known.user_id === viewer.user_id && known.token_id === viewer.token_id,
      )
      if (!isKnown) viewers.push(viewer)
      if (viewers.length > mostViewers) viewers.shift()
    },

    refuse(channel) {
      leave(channel)
      const why = 'you can no longer see what this channel is about'
      connection.send(refusedFrame(channel, 403, why))
      // Its signature belongs to this connection, which could otherwise subscribe again.
      if (channel.startsWith('private-')) connection.cut(why)
    },

    cut(why) {
      if (isCut) return
      // Before the frame, which Ruby's client needs: it does not notice the code of a close.
      socket.send(errorFrame(codes.reconnect, why), { binary: false })
      isCut = true
      leaveAll()
      // A client that has stopped reading never gets it.
      socket.close(codes.reconnect)
      setTimeout(() => socket.terminate(), closeTimeout).unref()
    },

    ping() {
      if (unanswered >= 2) return socket.terminate()
      unanswered += 1
      socket.ping()
    },
  }

  function leave(channel: string): void {
    if (!channels.delete(channel)) return
    ofAddress.channels -= 1
    subscriptions.remove(channel, connection)
  }

  function leaveAll(): void {
    for (const channel of [...channels]) leave(channel)
  }

  /** Counts a message. A client that sends too many is not read for a second. */
  function count(): void {
    const now = performance.now()
    allowance = Math.min(burst, allowance + ((now - countedAt) / 1000) * perSecond) - 1
    countedAt = now
    if (allowance >= 0 || socket.isPaused) return
    socket.pause()
    setTimeout(() => socket.resume(), 1000).unref()
  }

  function take(message: ClientMessage): void {
    const { event, data } = message
    if (event === 'pusher:ping') connection.send(pongFrame)
    else if (event === 'pusher:subscribe') subscribe(data)
    else if (event === 'pusher:unsubscribe') {
      if (typeof data.channel === 'string') leave(data.channel)
    } else if (event === 'pusher:signin') {
      const message = 'users cannot sign in here: subscribe to private channels'
      connection.send(errorFrame(codes.unauthorized, message))
    } else if (event.startsWith('client-')) {
      const message = 'clients cannot send events here'
      connection.send(errorFrame(codes.clientEventRefused, message))
    }
  }

  /** Nothing in here waits: events that are published from now on must reach the connection. */
  function subscribe({ channel, auth }: Readonly<Record<string, unknown>>): void {
    if (typeof channel !== 'string') return
    if (channels.has(channel)) return connection.send(subscribedFrame(channel))
    const refused = refusalOf(channel, auth)
    if (refused) {
      connection.send(refusedFrame(channel, refused.status, refused.error))
      // Ruby's client does not know that a subscription can fail, and would wait for ever.
      if (refused.status === 401) {
        connection.send(errorFrame(codes.unauthorized, refused.error))
      }
      return
    }
    channels.add(channel)
    ofAddress.channels += 1
    subscriptions.add(channel, connection)
    connection.send(subscribedFrame(channel))
    if (channel.startsWith('private-')) subscribed(connection)
  }

  function refusalOf(
    channel: string,
    auth: unknown,
  ): { status: number; error: string } | undefined {
    if (!channelName.test(channel)) {
      const error = 'a channel’s name has 1 to 200 letters, digits and _ - = @ , . ;'
      return { status: 400, error }
    }
    if (/^(?:presence|private-encrypted)-/.test(channel)) {
      return { status: 403, error: 'there are no presence and no encrypted channels here' }
    }
    if (channels.size >= mostChannels) {
      return { status: 429, error: `a connection can have ${mostChannels} channels` }
    }
    if (ofAddress.channels >= mostOfAddress) {
      return {
        status: 429,
        error: `the connections of an address can have ${mostOfAddress} channels`,
      }
    }
    if (subscriptions.isFull()) {
      return { status: 429, error: 'too many channels are open here: try again later' }
    }
    if (!channel.startsWith('private-')) return
    if (typeof auth === 'string' && isSignedChannel(app, auth, id, channel)) return
    const error = 'this connection may not listen on the channel: have POST /streaming/auth sign it'
    return { status: 401, error }
  }

  socket.on('pong', () => {
    unanswered = 0
  })
  socket.on('message', (bytes: Buffer, isBinary) => {
    if (isCut) return
    count()
    const message = isBinary ? undefined : readMessage(bytes.toString())
    if (message) take(message)
  })
  socket.on('close', leaveAll)
  return connection
}
