import { expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../support/database.ts'
import { scratchFolder } from '../support/command.ts'
import { needs } from '../support/needs.ts'
import { redis, startRedis } from '../support/redis.ts'
import { startProcess, urlOf } from '../support/service-process.ts'

const { connection } = await ownDatabase()

test(
  'a service whose Redis is gone ends when it is told to',
  { ...needs(redis), timeout: 60_000 },
  async () => {
    const server = await startRedis()
    const service = await startProcess({
      DATABASE_URL: urlOf(connection),
      REDIS_URL: server.url,
      DATA_DIR: scratchFolder(),
      LOG_LEVEL: 'silent',
    })
    onTestFinished(() => void service.child.kill('SIGKILL'))
    await server.stop('SIGKILL')
    await service.stop()
    expect(service.child.exitCode).toBe(0)
  },
)
