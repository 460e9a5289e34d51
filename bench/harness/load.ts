import { type Connection, openConnection } from './connection.ts'

/** A request that is ready to be sent, and a name by which its row is found. */
export interface Shot {
  id: string
  bytes: Buffer
}

export interface Volley {
  next(): Shot
  /** The status of a good response, 204 if nothing else is said. */
  status?: number
  /** Milliseconds after which no further request is sent; those under way are waited for. */
  ms?: number
  /** Requests after which none is sent. */
  count?: number
}

export interface Outcome {
  /** Ids of the requests with a good response. */
  stored: string[]
  /** Other responses, and connections that broke. */
  failures: number
  /** Milliseconds from each request to its response. */
  latencies: number[]
  /** From the first request to the last response. */
  seconds: number
}

export interface Load {
  fire(volley: Volley): Promise<Outcome>
  close(): void
}

/** Opens connections that each send one request after the other. */
export async function openLoad(url: string, connections: number): Promise<Load> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(url)))
  return {
    async fire(volley) {
      const outcome: Outcome = { stored: [], failures: 0, latencies: [], seconds: 0 }
      const begun = performance.now()
      const hasMore = limit(volley, begun)
      await Promise.all(open.map((connection) => keepAsking(connection, volley, hasMore, outcome)))
      outcome.seconds = (performance.now() - begun) / 1000
      return outcome
    },
    close() {
      for (const connection of open) connection.close()
    },
  }
}

function limit({ ms, count }: Volley, begun: number): () => boolean {
  let left = count ?? Number.POSITIVE_INFINITY
  const until = ms === undefined ? Number.POSITIVE_INFINITY : begun + ms
  return () => left-- > 0 && performance.now() < until
}

async function keepAsking(
  connection: Connection,
  { next, status: good = 204 }: Volley,
  hasMore: () => boolean,
  outcome: Outcome,
): Promise<void> {
  while (hasMore()) {
    const { id, bytes } = next()
    const sent = performance.now()
    const status = await connection.ask(bytes).catch(() => 0)
    outcome.latencies.push(performance.now() - sent)
    if (status === good) outcome.stored.push(id)
    else outcome.failures += 1
    if (status === 0) return
  }
}
