import { afterAll, expect, test } from 'vitest'
import { publishOutbox } from '../../src/flow/publish-outbox.ts'
import { openDatabase } from '../../src/store/connection.ts'
import { announce } from '../../src/store/outbox.ts'
import { testContext } from '../support/context.ts'
import { freshDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

const { db, connection } = await freshDatabase()
const make = factories(db)
const small = openDatabase(connection, () => {}, 2)
afterAll(() => small.close())

test('more streams at once than there are connections are all published', async () => {
  const build = await make.build()
  const streams = Array.from({ length: 6 }, (_, index) => `status:${index}`)
  for (const stream of streams) {
    for (const state of ['created', 'passed']) {
      await announce(db, [
        { kind: 'status:build', stream: stream, payload: { build_id: build.id, state } },
      ])
    }
  }
  const codehost = memoryCodehost()
  const ctx = testContext(small.db, { codehost })
  await Promise.all(streams.map((stream) => publishOutbox(ctx, stream)))

  expect(codehost.posted).toHaveLength(12)
  const waiting = db.selectFrom('outbox').select('id').where('published_at', 'is', null)
  expect(await waiting.execute()).toEqual([])
})
