import pg from 'pg'

/** A machine that is gone without a word is noticed by the probes of an idle connection. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 }

/** The connections of BullMQ to PostgreSQL, which outlive a restart of the server. */
export function createPool(settings: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    options: '-c search_path=bullmq',
    ...keepAlive,
    connectionTimeoutMillis: 30_000,
    // All workers look for lost jobs every half minute, and would open new ones each time.
    idleTimeoutMillis: 60_000,
  })
  // Each queue and worker adds a listener of its own.
  pool.setMaxListeners(0).on('error', onError)
  // The pool listens only to idle connections; without a listener a broken one ends this process.
  pool.on('connect', (client) => client.setMaxListeners(0).on('error', () => {}))
  return sayRefused(pool)
}

type Callback = Parameters<pg.Pool['connect']>[0]

/**
 * BullMQ waits before it tries again only when a connection was refused; after any other failure,
 * such as a missing socket, it would try again without end and log each time.
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
