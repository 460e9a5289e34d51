import { afterAll, expect, test } from 'vitest'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { announce } from '../../src/store/outbox/outbox.ts'
import { openDatabase } from '../../src/store/sql/connection.ts'
import { testContext } from '../support/context.ts'
import { freshDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'

const { db, connection } = await freshDatabase()
const make = factories(db)
const small = openDatabase(connection, () => {}, 2)
afterAll(() => small.close())

test('all streams are published even if there are more of them than connections', async () => {
  const repository = await make.repository()
  const streams: string[] = []
  for (let index = 0; index < 6; index += 1) {
    const sha = String(index).repeat(40)
    const commit = await make.commit(repository, { sha })
    await make.build({ repository, commit_id: commit.id })
    const stream = `status:${index}`
    const payload = { repository_id: repository.id, sha, kind: 'push' } as const
    for (const kind of ['status', 'check:config'] as const) {
      await announce(db, [{ kind, stream, payload }])
    }
    streams.push(stream)
  }
  const codehost = memoryCodehost()
  const ctx = testContext(small.db, { codehost })
  await Promise.all(streams.map((stream) => publishOutbox(ctx, stream)))

  expect(codehost.posted).toHaveLength(6)
  const waiting = db.selectFrom('outbox').select('id').where('published_at', 'is', null)
  expect(await waiting.execute()).toEqual([])
})
