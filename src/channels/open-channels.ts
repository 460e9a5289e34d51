import { randomInt } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { subjectOf } from '../domain/live.ts'
import type { Audience } from '../flow/live/publish-notices.ts'
import type { StreamingApp } from '../secrets/streaming-signature.ts'
import type { SocketViewer } from '../store/live/notices.ts'
import { type Connection, createConnection } from './connection.ts'
import { codes, errorFrame, establishedFrame } from './messages.ts'
import { createSubscriptions } from './subscriptions.ts'
import { takeUpgrades } from './upgrade.ts'

/** Connections of one address, and of all. */
const mostOfAddress = 500
const mostOfAll = 10_000

const pingEvery = 25_000
/** Milliseconds over which a shutdown is spread: clients connect again at once. */
const shutdownTime = 10_000
const leastOfGroup = 50

interface ChannelsParts {
  app: StreamingApp
  /** The path of a request within the service. */
  pathOf(request: IncomingMessage): string
  /** Whose connection it is, for the limit of each address. */
  addressOf(request: IncomingMessage): string
  /** Which of these channels the viewer can still listen to. */
  stillListenable(viewer: SocketViewer, channels: readonly string[]): Promise<ReadonlySet<string>>
}

/** The embedded streaming service. */
export interface Channels extends Audience {
  /** Serves the WebSockets of this HTTP server. */
  serve(server: Server): void
  /** How many connections listen on a channel here. */
  count(channel: string): number
  /** The channels on which somebody listens here. */
  occupied(): string[]
  /** Channels were signed for a connection, which may be of another process. */
  addViewer(socketId: string, viewer: SocketViewer): void
  /** Ends subscriptions of users who can no longer see the records. */
  checkRights(): Promise<void>
  /** The open connections, and the events that were sent to them so far. */
  counts(): { connections: number; messages: number }
  /** Cuts a connection, whose client connects again. */
  cut(socketId: string): void
  /** Ends all connections, in groups. */
  close(): Promise<void>
}

/** Opens a streaming service of the Pusher protocol, versions 5 to 7. */
export function openChannels({ app, pathOf, addressOf, stillListenable }: ChannelsParts): Channels {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: 16 * 1024,
    // Each fragment of an unfinished message takes far more memory than its bytes.
    maxFragments: 16,
    perMessageDeflate: false,
  })
  const subscriptions = createSubscriptions()
  const connections = new Map<string, Connection>()
  const ofAddresses = new Map<string, { connections: number; channels: number }>()
  const justSubscribed = new Set<Connection>()
  let open = 0
  let isClosing = false

  const pinging = setInterval(() => {
    for (const connection of connections.values()) connection.ping()
  }, pingEvery).unref()

  function refusalOf(request: IncomingMessage): number | undefined {
    if (!pathOf(request).startsWith('/app/')) return 404
    if (isClosing || open >= mostOfAll) return 503
    const known = ofAddresses.get(addressOf(request))
    if (known && known.connections >= mostOfAddress) return 503
    return undefined
  }

  /** Counts a socket from its upgrade until it is closed, whatever happens between. */
  function countSocket(request: IncomingMessage): { channels: number } {
    const address = addressOf(request)
    const ofAddress = ofAddresses.get(address) ?? { connections: 0, channels: 0 }
    ofAddresses.set(address, ofAddress)
    open += 1
    ofAddress.connections += 1
    request.socket.once('close', () => {
      open -= 1
      ofAddress.connections -= 1
      if (ofAddress.connections === 0) ofAddresses.delete(address)
    })
    return ofAddress
  }

  function accept(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const ofAddress = countSocket(request)
    server.handleUpgrade(request, socket, head, (webSocket) => {
      // The package closes the connection itself; unheard, an error would end the process.
      webSocket.on('error', () => {})
      const [path = '', query = ''] = pathOf(request).split('?', 2)
      const problem = problemOf(path.slice('/app/'.length), query)
      if (problem) {
        webSocket.send(errorFrame(problem.code, problem.message), { binary: false })
        webSocket.close(problem.code)
        return
      }
      const id = newSocketId()
      const connection = createConnection(webSocket, {
        id,
        app,
        subscriptions,
        ofAddress,
        subscribed: checkSoon,
      })
      connections.set(id, connection)
      webSocket.on('close', () => connections.delete(id))
      connection.send(establishedFrame(id))
    })
  }

  function problemOf(key: string, query: string) {
    if (key !== app.key) {
      const message = 'there is no such application: GET /config names the key'
      return { code: codes.unknownApp, message }
    }
    const protocol = new URLSearchParams(query).get('protocol')
    if (protocol !== null && ['5', '6', '7'].includes(protocol)) return
    const message = 'the protocol of this service is 7, and 5 and 6 work as well'
    return { code: codes.unsupportedProtocol, message }
  }

  /** Checks what connections have just subscribed to, once for all of them. */
  function checkSoon(connection: Connection): void {
    justSubscribed.add(connection)
    if (justSubscribed.size > 1) return
    setImmediate(() => {
      const all = [...justSubscribed].filter(({ viewers }) => viewers.length > 0)
      justSubscribed.clear()
      // The next check of all connections repeats one that fails.
      check(all).catch(() => {})
    })
  }

  async function check(all: readonly Connection[]): Promise<void> {
    const wanted = new Map<string, { viewer: SocketViewer; channels: Set<string> }>()
    const want = (viewer: SocketViewer, channel: string) => {
      const known = wanted.get(keyOf(viewer))
      if (known) known.channels.add(channel)
      else wanted.set(keyOf(viewer), { viewer, channels: new Set([channel]) })
    }
    for (const connection of all) {
      for (const channel of connection.channels) {
        if (!isChecked(channel)) continue
        for (const viewer of viewersOf(connection, channel)) want(viewer, channel)
      }
    }
    const kept = new Map<string, ReadonlySet<string>>()
    for (const [key, { viewer, channels }] of wanted) {
      kept.set(key, await stillListenable(viewer, [...channels]))
    }
    for (const connection of all) {
      for (const channel of connection.channels) {
        const viewers = viewersOf(connection, channel)
        // Subscribed, or signed for a further viewer, only after the rights were read.
        const isNew = viewers.some((viewer) => !wanted.get(keyOf(viewer))?.channels.has(channel))
        if (!isChecked(channel) || (isNew && viewers.length > 0)) continue
        if (!viewers.some((viewer) => kept.get(keyOf(viewer))?.has(channel))) {
          connection.refuse(channel)
        }
      }
    }
  }

  return {
    listens: (channels) => channels.some((channel) => subscriptions.count(channel) > 0),
    users: subscriptions.users,
    count: subscriptions.count,
    occupied: () => [...subscriptions.channels()],
    counts: () => ({ connections: connections.size, messages: subscriptions.sent() }),
    cut: (socketId) => connections.get(socketId)?.cut('the service cut this connection'),
    publish: subscriptions.publish,
    addViewer: (socketId, viewer) => connections.get(socketId)?.addViewer(viewer),
    serve: (http) => takeUpgrades(http, { refusalOf, accept }),

    jobs() {
      const ids = new Set<number>()
      for (const channel of subscriptions.channels()) {
        const subject = subjectOf(channel)
        if (subject?.kind === 'job') ids.add(subject.id)
      }
      return [...ids]
    },

    checkRights: oneAtATime(() => check([...connections.values()])),

    async close() {
      isClosing = true
      clearInterval(pinging)
      const all = [...connections.values()]
      const size = Math.max(leastOfGroup, Math.ceil(all.length / 10))
      for (let start = 0; start < all.length; start += size) {
        if (start > 0) await pause(shutdownTime / 10)
        for (const connection of all.slice(start, start + size)) {
          connection.cut('the service stops: connect again')
        }
      }
    },
  }
}

/** For whom channels without a signature are. */
const anyone: SocketViewer = { user_id: null, token_id: null, closed: false }

const keyOf = ({ user_id, token_id, closed }: SocketViewer) => `${user_id} ${token_id} ${closed}`

/** False for channels of other programs without a signature: all other channels depend on rights. */
const isChecked = (channel: string) =>
  channel.startsWith('private-') || subjectOf(channel) !== undefined

/** Repeats work that is wanted again while it runs, once for all who want it. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isDue = false
  return () => {
    isDue = true
    running ??= repeat()
    return running
  }

  async function repeat(): Promise<void> {
    try {
      while (isDue) {
        isDue = false
        await work()
      }
    } finally {
      running = undefined
    }
  }
}

/** Not to be guessed, and digits around a dot: publishers check the form. */
const newSocketId = () => `${randomInt(2 ** 47)}.${randomInt(2 ** 47)}`

/** The users whose rights decide about a channel of a connection. */
const viewersOf = (connection: Connection, channel: string) =>
  channel.startsWith('private-') ? connection.viewers : [anyone]
