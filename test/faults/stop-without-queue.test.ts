import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { age } from '../support/age.ts'
import { scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { emptyEverything } from '../support/local-story.ts'
import { needs } from '../support/needs.ts'
import { redis, startRedis } from '../support/redis.ts'
import { type ServiceProcess, startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()

afterEach(() => emptyEverything(db))

test(
  'a service whose Redis is unreachable stops on request',
  { ...needs(redis), timeout: 60_000 },
  async () => {
    const service = await startAndKillRedis()
    await service.stop()
    expect(service.child.exitCode).toBe(0)
  },
)

test(
  'a service whose Redis is unreachable stops on request during a sweep',
  { ...needs(redis), timeout: 60_000 },
  async () => {
    const service = await startAndKillRedis()
    await factories(db).request({ state: 'created', result: null, finished_at: null })
    await age(db, 31)
    await db.deleteFrom('tasks').execute()
    // The sweep claims its task, and then waits for Redis.
    await vi.waitFor(
      async () => expect(await db.selectFrom('tasks').select('name').execute()).not.toEqual([]),
      { timeout: 30_000, interval: 50 },
    )
    await service.stop()
    expect(service.child.exitCode).toBe(0)
  },
)

/** A service that was ready, and whose queue is now unreachable. */
async function startAndKillRedis(): Promise<ServiceProcess> {
  const server = await startRedis()
  const service = await startProcess({
    DATABASE_URL: urlOf(connection),
    REDIS_URL: server.url,
    DATA_DIR: scratchFolder(),
    LOG_LEVEL: 'silent',
  })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  await server.stop('SIGKILL')
  return service
}
