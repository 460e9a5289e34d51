import { createPostgresBackend, runMigrations } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import { SetupError } from '../domain/errors.ts'

/** Where the queues live. Only this room and `worker/worker.ts` know BullMQ. */
export type QueueConnection =
  | { kind: 'postgres'; pool: pg.Pool; close(): Promise<void> }
  | { kind: 'redis'; redis: Redis; close(): Promise<void> }

interface Places {
  database: pg.PoolConfig
  redisUrl: string | undefined
  onError: (error: Error) => void
}

/**
 * Connects to the queues' server: Redis when it is given, PostgreSQL otherwise. `listeners` is how
 * many workers will listen at once; each of them keeps a connection for itself.
 */
export function connectQueues(places: Places, listeners: number): Promise<QueueConnection> {
  return places.redisUrl === undefined
    ? connectPostgres(places, listeners)
    : connectRedis(places.redisUrl, places.onError)
}

async function connectPostgres(
  { database, onError }: Places,
  listeners: number,
): Promise<QueueConnection> {
  const pool = new pg.Pool({ ...database, max: listeners + 6, options: '-c search_path=bullmq' })
  // Each queue and worker adds a listener of its own.
  pool.setMaxListeners(0).on('error', onError)
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
  onError: (error: Error) => void,
): Promise<QueueConnection> {
  // Without this setting workers throw when the server is away for a moment.
  const redis = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: true })
  // The rejection only says that the connection is closed; why, the events tell.
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
 * What the library's constructors want. The types of its PostgreSQL backend do not survive
 * `exactOptionalPropertyTypes`, hence the casts, here only.
 */
export function wiring(to: QueueConnection): { connection: never; backend: never[] } {
  return to.kind === 'postgres'
    ? { connection: to.pool as never, backend: [createPostgresBackend as never] }
    : { connection: to.redis as never, backend: [] }
}
