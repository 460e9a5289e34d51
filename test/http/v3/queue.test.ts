import { expect, test } from 'vitest'
import { queueNames } from '../../../src/queue/queues.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { administered, administering } from './administered.ts'

const db = await testDatabase()
const { call } = await administered(db)

test('queues are shown with their numbers of entries', async () => {
  const root = await factories(db).user('Root')
  expect(await call('GET /queues', root)).toEqual({
    status: 200,
    body: {
      '@type': 'queues',
      '@href': '/queues',
      '@representation': 'standard',
      queues: queueNames.map((name) => ({
        '@type': 'queue',
        '@representation': 'standard',
        ...administering,
        name,
        waiting: 1,
        delayed: 0,
        active: 2,
        failed: 0,
      })),
    },
  })
})
