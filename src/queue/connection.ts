import { createPostgresBackend, runMigrations } from 'bullmq'
import { Redis } from 'ioredis'
import type pg from 'pg'
import { SetupError } from '../domain/errors.ts'
import { createPool } from './pool.ts'

/** The server of the queues. Only this room and `worker/worker.ts` know BullMQ. */
export type QueueConnection =
  | { kind: 'postgres'; pool: pg.Pool; close(): Promise<void> }
  | { kind: 'redis'; redis: Redis; close(): Promise<void> }

interface QueueSettings {
  database: pg.PoolConfig
  redisUrl: string | undefined
  onError: (error: Error) => void
  /** Milliseconds that Redis may take for an answer before it gets a new connection. */
  silence?: number
}

const longestSilence = 30_000

/**
 * Connects to the queues' server: Redis if its address is set, PostgreSQL otherwise. `listeners` is the
 * number of workers that will listen at once; each of them uses its own connection.
 */
export function connectQueues(
  settings: QueueSettings,
  listeners: number,
): Promise<QueueConnection> {
  return settings.redisUrl === undefined
    ? connectPostgres(settings, listeners)
    : connectRedis(settings.redisUrl, settings)
}

async function connectPostgres(
  { database, onError }: QueueSettings,
  listeners: number,
): Promise<QueueConnection> {
  const pool = createPool({ ...database, max: listeners + 6 }, onError)
  const client = await pool.connect()
  try {
    await runMigrations(client)
  } finally {
    client.release()
  }
  return { kind: 'postgres', pool, close: () => pool.end() }
}

async function connectRedis(
  url: string,
  { onError, silence = longestSilence }: QueueSettings,
): Promise<QueueConnection> {
  const redis = new Redis(url, {
    // Otherwise workers throw when the server is unreachable for a moment.
    maxRetriesPerRequest: null,
    // Ends a connection without responses, as behind a router that forgot it. Workers wait less.
    socketTimeout: silence,
    lazyConnect: true,
  })
  // The rejection reports only that the connection is closed; the events report why.
  let reason: Error | undefined
  redis.on('error', (error: Error) => {
    reason = error
    onError(error)
  })
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    const { message } = reason ?? (error as Error)
    throw new SetupError(
      `the Redis server of REDIS_URL cannot be used: ${message}. ` +
        'Check that it runs and that the address is right, or unset REDIS_URL to keep the queue in PostgreSQL.',
      { cause: error },
    )
  }
  return {
    kind: 'redis',
    redis,
    async close() {
      redis.disconnect()
    },
  }
}

/**
 * Arguments for BullMQ's constructors. The types of its PostgreSQL backend are incompatible with
 * `exactOptionalPropertyTypes`, hence the casts, which occur only here.
 */
export function bullmqArguments(to: QueueConnection): { connection: never; backend: never[] } {
  return to.kind === 'postgres'
    ? { connection: to.pool as never, backend: [createPostgresBackend as never] }
    : { connection: to.redis as never, backend: [] }
}
