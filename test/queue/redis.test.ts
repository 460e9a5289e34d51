import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectQueues } from '../../src/queue/connection.ts'
import { openQueues } from '../../src/queue/queue.ts'
import { needs } from '../support/needs.ts'
import { closedPort } from '../support/ports.ts'
import { redis, type RedisServer, startRedis } from '../support/redis.ts'
import { swallowingProxy } from '../support/swallowing-proxy.ts'
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
  const redisUrl = `redis://127.0.0.1:${closedPort}`
  const places = { database: {}, redisUrl, onError() {} }
  await expect(connectQueues(places, 1)).rejects.toThrow(
    /^the Redis server of REDIS_URL cannot be used: .*ECONNREFUSED.* Check that it runs/,
  )
})

describe('a connection to Redis that no longer responds', needs(redis), () => {
  test('is replaced, and its pending commands succeed', async () => {
    const server = await startRedis()
    const proxy = await swallowingProxy({ port: server.port })
    const redisUrl = `redis://127.0.0.1:${proxy.port}`
    const to = await connectQueues({ database: {}, redisUrl, silence: 200, onError() {} }, 1)
    const queues = await openQueues(to, () => {})
    onTestFinished(async () => {
      await queues.close()
      await to.close()
      await proxy.close()
      await server.stop()
    })
    proxy.swallow()
    await queues.enqueue('request.accept', { request_id: 1 })
    expect((await queues.waiting())['request.accept']).toBe(1)
  })
})
