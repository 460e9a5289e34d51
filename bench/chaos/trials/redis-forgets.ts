import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { redis as need, startRedis } from '../../../test/support/redis.ts'
import { openDatabases } from '../../harness/databases.ts'
import { inScene } from '../scene.ts'
import type { Trial } from '../trial.ts'

/** A Redis that keeps nothing: flushed, or killed and empty again, every few seconds. */
export const redisForgets: Trial = {
  missing: async () => need.missing,
  async run(place) {
    const databases = place.keep(await openDatabases(place, process.env))
    const DATABASE_URL = await databases.create('chaos')
    let server = await startRedis()
    place.keep({ close: () => server.stop() })
    const { url, port } = server
    const setting = {
      processes: { service: { DATABASE_URL, REDIS_URL: url } },
      jobsOfPush: 1,
      databaseUrl: async () => DATABASE_URL,
    }
    let flushes = 0
    let kills = 0
    const found = await inScene(place, setting, async ({ pushes, random }) => {
      await Promise.all([pushes.push(120, 500), forget()])

      async function forget(): Promise<void> {
        while (flushes + kills < 20) {
          await pause(2000 + 4000 * random.next())
          if (random.next() < 0.5) await flush()
          else await kill()
        }
      }
    })
    return { ...found, flushes, kills }

    async function flush(): Promise<void> {
      const client = new Redis(url)
      await client.flushall()
      client.disconnect()
      flushes += 1
    }

    async function kill(): Promise<void> {
      await server.stop('SIGKILL')
      kills += 1
      await pause(1000)
      server = await startRedis(port)
    }
  },
}
