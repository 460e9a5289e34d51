import pg from 'pg'

/** Probes of an idle connection detect a machine that disappeared silently. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 }

/** The connections of BullMQ to PostgreSQL, which outlive a restart of the server. */
export function createPool(settings: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    options: '-c search_path=bullmq',
    ...keepAlive,
    connectionTimeoutMillis: 30_000,
    // All workers look for lost jobs every 30 seconds, and would open new connections each time.
    idleTimeoutMillis: 60_000,
  })
  // Each queue and worker adds a listener of its own.
  pool.setMaxListeners(0).on('error', onError)
  // The pool listens only to idle connections; without a listener, a broken connection ends this process.
  pool.on('connect', (client) => client.setMaxListeners(0).on('error', () => {}))
  return sayRefused(pool)
}

type Callback = Parameters<pg.Pool['connect']>[0]

/**
 * BullMQ pauses before a retry only if a connection was refused; after any other failure, such as a
 * missing socket, it would retry endlessly and log each time.
 */
function sayRefused(pool: pg.Pool): pg.Pool {
  const connect = pool.connect.bind(pool)
  const withCallback = (callback: Callback) =>
    connect((error, client, done) => callback(error && refused(error), client, done))
  const withPromise = () =>
    connect().catch((error: Error) => {
      throw refused(error)
    })
  pool.connect = ((callback?: Callback) =>
    callback ? withCallback(callback) : withPromise()) as typeof pool.connect
  return pool
}

function refused(cause: Error): Error {
  const error = new Error(`PostgreSQL cannot be reached: ${cause.message}`, { cause })
  return Object.assign(error, { code: 'ECONNREFUSED' })
}
