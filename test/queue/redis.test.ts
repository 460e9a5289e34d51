import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectQueues } from '../../src/queue/connection.ts'
import { needs } from '../support/needs.ts'
import { freePort, redis, type RedisServer, startRedis } from '../support/redis.ts'
import { queueContract } from './contract.ts'

describe('the queue on Redis', needs(redis), () => {
  let server: RedisServer

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  queueContract(async () => {
    const client = new Redis(server.url)
    await client.flushall()
    client.disconnect()
    return connectQueues({ database: {}, redisUrl: server.url, onError() {} }, 4)
  })
})

test('a missing server is reported in one sentence, with the remedy', async () => {
  const redisUrl = `redis://127.0.0.1:${await freePort()}`
  const places = { database: {}, redisUrl, onError() {} }
  await expect(connectQueues(places, 1)).rejects.toThrow(
    /^the Redis server of REDIS_URL cannot be used: .*ECONNREFUSED.* Check that it runs/,
  )
})
