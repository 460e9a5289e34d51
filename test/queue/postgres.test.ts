import { describe, expect, test } from 'vitest'
import { connectQueues } from '../../src/queue/connection.ts'
import { freshDatabase } from '../support/database.ts'
import { queueContract } from './contract.ts'

const { connection, db } = await freshDatabase()

describe('the queue in PostgreSQL', () => {
  queueContract(async () => {
    const places = { database: connection, redisUrl: undefined, onError() {} }
    const opened = await connectQueues(places, 4)
    if (opened.kind === 'postgres') {
      // Every test begins with empty queues; the tables stay.
      const { rows } = await opened.pool.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'bullmq'
           and tablename not like '%migration%'`,
      )
      const names = rows.map(({ name }) => `bullmq."${name}"`).join(', ')
      await opened.pool.query(`truncate ${names} cascade`)
    }
    return opened
  })
})

test('several processes can create the schema of the queue at the same time', async () => {
  const places = { database: connection, redisUrl: undefined, onError() {} }
  const opened = await Promise.all([1, 2, 3].map(() => connectQueues(places, 1)))
  await Promise.all(opened.map((each) => each.close()))
  expect(await db.selectFrom('jobs').selectAll().execute()).toEqual([])
})
