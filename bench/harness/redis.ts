import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Redis } from 'ioredis'
import type { LocalBench } from './benchmark.ts'
import type { Workplace } from './workplace.ts'

interface FoundRedis {
  url: string
  close(): Promise<void>
}

/** What this work measures with a Redis server that lasts as long as the bench; or why there is none. */
export async function withRedis<Measured>(
  { place, env }: LocalBench,
  measure: (url: string) => Promise<Measured>,
): Promise<Measured | { skipped: string }> {
  const redis = await findRedis(place, env)
  if ('missing' in redis) return { skipped: redis.missing }
  return measure(place.keep(redis).url)
}

/** The Redis server of REDIS_URL, else one that is started in the workplace; or why there is none. */
async function findRedis(
  place: Workplace,
  { REDIS_URL }: NodeJS.ProcessEnv,
): Promise<FoundRedis | { missing: string }> {
  return REDIS_URL ? given(REDIS_URL) : started(place)
}

/** What is measured leaves keys behind, so only an empty database is good enough. */
async function given(url: string): Promise<FoundRedis | { missing: string }> {
  const redis = await open(url)
  if (!redis) return { missing: 'the server of REDIS_URL does not answer' }
  if ((await redis.dbsize()) > 0) {
    redis.disconnect()
    return { missing: 'the database of REDIS_URL is not empty' }
  }
  return {
    url,
    async close() {
      await redis.flushdb()
      redis.disconnect()
    },
  }
}

/** As docs/running.md advises: with the append-only file on. */
async function started(place: Workplace): Promise<FoundRedis | { missing: string }> {
  const port = await freePort()
  const server = spawn(
    'redis-server',
    [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', place.folder('redis')],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
    ],
    { stdio: 'ignore' },
  )
  const failed = once(server, 'error').then(() => false)
  if (!(await Promise.race([failed, once(server, 'spawn').then(() => true)]))) {
    return { missing: 'there is no program redis-server, and REDIS_URL is not set' }
  }
  const url = `redis://127.0.0.1:${port}`
  const redis = await open(url)
  redis?.disconnect()
  async function close(): Promise<void> {
    if (server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill()
    await ended
  }
  if (redis) return { url, close }
  await close()
  return { missing: 'the redis-server of this machine does not start' }
}

const tries = 40
const retryStrategy = (made: number) => (made > tries ? null : 50)

async function open(url: string): Promise<Redis | undefined> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy, maxRetriesPerRequest: tries })
  redis.on('error', () => {})
  try {
    await redis.ping()
    return redis
  } catch {
    redis.disconnect()
    return undefined
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
