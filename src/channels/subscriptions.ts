import { type LiveMessage, subjectOf, userChannel } from '../domain/live.ts'
import { eventFrame, type Frame } from './messages.ts'

/** A connection, as far as it gets events. */
interface Listener {
  id: string
  send(frame: Frame): void
}

/** Subscriptions of all connections: each takes memory, and a client can have many connections. */
const mostSubscriptions = 200_000

/** Which connections listen on which channel. */
export interface Subscriptions {
  isFull(): boolean
  add(channel: string, connection: Listener): void
  remove(channel: string, connection: Listener): void
  count(channel: string): number
  channels(): Iterable<string>
  /** The users who listen on their own channel. */
  users(): number[]
  publish(message: LiveMessage): void
  /** How many messages were published to connections so far. */
  sent(): number
}

export function createSubscriptions(): Subscriptions {
  const listening = new Map<string, Set<Listener>>()
  const users = new Set<number>()
  let all = 0
  let sent = 0
  return {
    isFull: () => all >= mostSubscriptions,
    users: () => [...users],

    add(channel, connection) {
      const known = listening.get(channel) ?? new Set()
      if (known.has(connection)) return
      all += 1
      known.add(connection)
      listening.set(channel, known)
      const user = userOf(channel)
      if (user !== undefined) users.add(user)
    },

    remove(channel, connection) {
      const known = listening.get(channel)
      if (!known?.delete(connection)) return
      all -= 1
      if (known.size > 0) return
      listening.delete(channel)
      const user = userOf(channel)
      if (user !== undefined) users.delete(user)
    },

    sent: () => sent,
    count: (channel) => listening.get(channel)?.size ?? 0,
    channels: () => listening.keys(),

    publish({ channels, event, data, except }) {
      for (const channel of channels) {
        const connections = listening.get(channel)
        if (!connections) continue
        const frame = eventFrame(event, channel, data)
        // A copy: a connection that is cut leaves its channels.
        for (const connection of [...connections]) {
          if (connection.id === except) continue
          connection.send(frame)
          sent += 1
        }
      }
    },
  }
}

function userOf(channel: string): number | undefined {
  const subject = subjectOf(channel)
  return subject?.kind === 'user' && channel === userChannel(subject.id) ? subject.id : undefined
}
