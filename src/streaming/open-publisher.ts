import { setTimeout as pause } from 'node:timers/promises'
import type { LiveMessage } from '../domain/live.ts'
import { md5, signCall, type StreamingApp } from '../secrets/streaming-signature.ts'

interface PublisherParts {
  app: StreamingApp
  /** Address of the service. */
  url: string
  log: { warn(facts: object, message: string): void }
}

/** Events of one call, as the interface limits them. */
const mostOfBatch = 10
/** Bytes of an event's data, as hosted services limit them. */
const mostData = 10_000
/** Events that may wait; older ones are dropped, as clients can read what they miss. */
const mostWaiting = 10_000
const tries = 4
const firstPause = 500
const patience = 10_000

interface WireEvent {
  name: string
  channel: string
  data: string
}

/** Publishes events through another streaming service, in their order. */
export interface Publisher {
  audience: {
    listens(channels: readonly string[]): boolean
    users(): readonly number[] | null
    jobs(): readonly number[]
    publish(message: LiveMessage): void
  }
  /** Whether this process publishes. */
  lead(leading: boolean): void
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>
}

export function openPublisher({ app, url, log }: PublisherParts): Publisher {
  let waiting: WireEvent[] = []
  let sending: Promise<void> | undefined
  let leading = false
  const stop = new AbortController()

  async function sendAll(): Promise<void> {
    while (waiting.length > 0 && !stop.signal.aborted) {
      const batch = waiting.splice(0, mostOfBatch)
      await sendBatch(batch)
    }
    sending = undefined
  }

  async function sendBatch(batch: readonly WireEvent[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const problem = await post(batch).catch((error: unknown) => error as Error)
      if (!problem) return
      if (attempt === tries || ('isFinal' in problem && problem.isFinal)) {
        log.warn({ err: problem, events: batch.length }, 'live events were not published')
        return
      }
      await pause(firstPause * 2 ** attempt, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  /** Returns why the service did not take the events. */
  async function post(batch: readonly WireEvent[]): Promise<Error | undefined> {
    const body = Buffer.from(JSON.stringify({ batch }))
    const path = `/apps/${app.id}/batch_events`
    const query = [
      ['auth_key', app.key],
      ['auth_timestamp', String(Math.floor(Date.now() / 1000))],
      ['auth_version', '1.0'],
      ['body_md5', md5(body)],
    ] as const
    const signature = signCall(app.secret, { method: 'POST', path, query })
    const search = new URLSearchParams([...query, ['auth_signature', signature]].map((e) => [...e]))
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}?${search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    await response.body?.cancel()
    if (response.ok) return
    const error = new Error(`the streaming service responded with ${response.status}`)
    const isFinal = response.status < 500 && response.status !== 429
    return Object.assign(error, { isFinal })
  }

  return {
    audience: {
      listens: () => leading,
      users: () => (leading ? null : []),
      jobs: () => [],

      publish({ channels, event, data }) {
        if (!leading) return
        const short = Buffer.byteLength(data) > mostData ? withoutText(data) : data
        waiting.push(...channels.map((channel) => ({ name: event, channel, data: short })))
        if (waiting.length > mostWaiting) {
          const dropped = waiting.length - mostWaiting
          waiting = waiting.slice(dropped)
          log.warn({ dropped }, 'the streaming service takes live events too slowly')
        }
        sending ??= sendAll()
      },
    },

    lead(isLeading) {
      leading = isLeading
    },

    async close() {
      leading = false
      await Promise.race([sending, pause(5000, undefined, { ref: false })])
      stop.abort()
    },
  }
}

/** Events that are too large say so, and clients read what is missing. */
function withoutText(data: string): string {
  const all = { ...(JSON.parse(data) as object), _no_full_payload: true }
  return JSON.stringify(all, (_key, value: unknown) => (isLong(value) ? '' : value))
}

const isLong = (value: unknown) => typeof value === 'string' && value.length > 500
