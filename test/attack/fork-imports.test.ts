import { beforeEach, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { type Kind, secretsScene } from '../flow/secrets-scene.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'

// The build file of a fork's pull request imports a private file, so that its jobs print the
// contents.

const db = await testDatabase()
const make = factories(db)
const tip = 'c'.repeat(40)
let codehost: MemoryCodehost
let ctx: TestContext
let server: Awaited<ReturnType<typeof createServer>>

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  server = await createServer(ctx)
})

/** The result of a build with an import from a private repository that allows imports. */
async function built(kind: Kind, source: string) {
  const scene = await secretsScene({ db, make, ctx, codehost }, server, { private: true })
  const ci = await make.repository({ owner_name: 'octavia', name: 'ci', private: true })
  await changeSettings(db, ci.id, { allow_config_imports: true })
  codehost.commits.set('main', commitOf(tip, 'Say hello'))
  codehost.files.set(`octavia/ci:a.yml@${tip}`, 'env: WORD=of-the-private-file')
  codehost.calls.length = 0
  const { id, config } = await scene.build(`import: ${source}\nscript: make`, kind)
  const { messages } = await db
    .selectFrom('builds')
    .innerJoin('jobs', 'jobs.build_id', 'builds.id')
    .where('jobs.id', '=', id)
    .select((eb) =>
      eb
        .selectFrom('request_messages')
        .whereRef('request_messages.request_id', '=', 'builds.request_id')
        .select(({ fn }) => fn.agg<string>('string_agg', ['text', eb.val(' ')]).as('text'))
        .as('messages'),
    )
    .executeTakeFirstOrThrow()
  const calls = [...codehost.calls]
  const seen = JSON.stringify([config, await scene.programsOf(id)])
  return { isThere: seen.includes('of-the-private-file'), messages, calls }
}

test('a push can import files that its owner shares', async () => {
  const { isThere } = await built('push', 'octavia/ci:a.yml@main')
  expect(isThere).toBe(true)
})

test.each<Kind>(['fork', 'fork that is gone', 'fork with the name of its origin'])(
  'a %s cannot import such files, and does not learn that they exist',
  async (kind) => {
    const hidden = await built(kind, 'octavia/ci:a.yml@main')
    await db.deleteFrom('repositories').execute()
    const missing = await built(kind, 'octavia/xx:a.yml@main')
    expect(hidden.isThere).toBe(false)
    expect(hidden.messages).toContain('octavia/ci:a.yml@main')
    expect(hidden.messages?.replace('octavia/ci', 'octavia/xx')).toBe(missing.messages)
    expect(hidden.calls).toEqual(missing.calls)
  },
)
