import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { recentAnswers } from '../../../src/http/caching/not-modified-cache.ts'
import { createServer } from '../../../src/http/server.ts'
import { findSeenBuild } from '../../../src/store/repositories/repository-access.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'

const db = await testDatabase()

let now = noon
let call: ReturnType<typeof caller>
let headers: Record<string, string>
const ctx = { ...testContext(db), now: () => now }

// A token that was made with another one, for a reader of a private repository, by someone else.
beforeEach(async () => {
  now = noon
  call = caller(await createServer(ctx))
  const make = factories(db)
  const reader = await make.user('reader')
  const maker = await make.user('maker')
  headers = { authorization: `token ${reader.token}` }
  const repository = await make.repository({ private: true })
  await make.permission(reader, repository)
  await make.build({ repository })
  await make.token(maker)
  await sql`update tokens set last_used_at = ${noon}`.execute(db)
  await sql`update tokens set made_by_id = 2, parent_id = 3, expires_at = ${after(600)} where id = 1`.execute(
    db,
  )
})

const after = (seconds: number) => new Date(noon.getTime() + seconds * 1000)

const v3 = { 'service-api-version': '3' }
const endpoints = { '/builds/1': {}, '/repos/1': {}, '/requests/1': {}, '/repo/1': v3 } as const
type Path = keyof typeof endpoints
const paths = Object.keys(endpoints) as Path[]

const described = sql`update repositories set description = 'new'`
const changes: Readonly<Record<Path, RawBuilder<unknown>>> = {
  '/builds/1': sql`update builds set duration = 5`,
  '/repos/1': described,
  '/requests/1': sql`update requests set message = 'new'`,
  '/repo/1': described,
}

const read = (path: Path, more: Record<string, string> = {}) =>
  call(`GET ${path}`, { ...headers, ...endpoints[path], ...more })

/** Asks for it until it is repeated: in full, unchanged, unchanged on grounds that are known then. */
async function watch(path: Path, more: Record<string, string> = {}) {
  const etag = String((await read(path, more)).headers.etag)
  const known = { ...more, 'if-none-match': etag }
  const [first] = [await read(path, known), await read(path, known)]
  expect(first.statusCode).toBe(304)
  return { known, first }
}

describe.each(paths)('the known response to GET %s', (path) => {
  test('costs one statement, and keeps its headers', async () => {
    const { known, first } = await watch(path)
    const statements = watchStatements()
    const again = await read(path, known)
    expect(statements).toHaveLength(1)
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect({ ...again.headers, date: '' }).toEqual({ ...first.headers, date: '' })
  })

  const ends: readonly (readonly [string, number, RawBuilder<unknown>])[] = [
    ['the token is revoked', 403, sql`update tokens set revoked_at = now() where id = 1`],
    [
      'the token that created it is revoked',
      403,
      sql`update tokens set revoked_at = now() where id = 3`,
    ],
    ['its user is blocked', 403, sql`update users set blocked_at = now() where id = 1`],
    [
      'the user who created it is blocked',
      403,
      sql`update users set blocked_at = now() where id = 2`,
    ],
    ['it loses its scopes', 404, sql`update tokens set scopes = '["public"]' where id = 1`],
    ['it is granted to another user', 404, sql`update tokens set grantee_id = 2 where id = 1`],
    ['the user loses the role', 404, sql`delete from permissions`],
    ['the repository is deleted', 404, sql`update repositories set deleted_at = now()`],
    ['its owner is deleted', 404, sql`update repositories set owner_id = 999`],
    ['the record has changed', 200, changes[path]],
  ]
  test.each(ends)('is no longer used when %s: %i', async (_what, status, change) => {
    const { known } = await watch(path)
    await change.execute(db)
    expect((await read(path, known)).statusCode).toBe(status)
  })

  test('is no longer used once the token has expired', async () => {
    await sql`update tokens set expires_at = ${after(30)} where id = 1`.execute(db)
    const { known } = await watch(path)
    now = after(29)
    expect((await read(path, known)).statusCode).toBe(304)
    now = after(31)
    expect((await read(path, known)).statusCode).toBe(403)
  })

  test('is checked again each minute, so that the use of the token is recorded', async () => {
    const { known } = await watch(path)
    now = after(61)
    expect((await read(path, known)).statusCode).toBe(304)
    const { rows } = await sql<{
      last_used_at: Date
    }>`select last_used_at from tokens where id = 1`.execute(db)
    expect(rows[0]?.last_used_at).toEqual(now)
  })
})

test.each([
  ['another token', { authorization: 'token unknown' }, 403],
  ['no token', { authorization: '' }, 404],
  ['an unacceptable type', { accept: 'image/png' }, 406],
  ['another tag', { 'if-none-match': '"other"' }, 200],
  ['any tag', { 'if-none-match': '*' }, 304],
])('a repeated call with %s is another call', async (_what, more, status) => {
  const { known } = await watch('/builds/1')
  expect((await read('/builds/1', { ...known, ...more })).statusCode).toBe(status)
})

test('a repeated call without a token gets a public response, until it becomes private', async () => {
  await sql`update repositories set private = false`.execute(db)
  await sql`update builds set private = false`.execute(db)
  headers = {}
  const { known } = await watch('/builds/1')
  const statements = watchStatements()
  expect((await read('/builds/1', known)).statusCode).toBe(304)
  expect(statements).toHaveLength(1)
  await sql`update builds set private = true`.execute(db)
  expect((await read('/builds/1', known)).statusCode).toBe(404)
})

test('repeated calls count towards the rate limits', async () => {
  ctx.site.rateLimits = true
  try {
    const { known } = await watch('/builds/1')
    const statuses = await Promise.all(
      Array.from({ length: 2000 }, async () => (await read('/builds/1', known)).statusCode),
    )
    expect(new Set(statuses)).toEqual(new Set([304, 429]))
  } finally {
    ctx.site.rateLimits = false
  }
})

async function versionOfBuild(): Promise<string> {
  const build = await findSeenBuild(db, 1, undefined)
  return build?.version.text ?? ''
}

test('a change while a response is made does not become its basis', async () => {
  const recent = recentAnswers(ctx)
  const request = {
    raw: { headers: {}, socket: {} },
    headers: { 'if-none-match': '"tag"' },
    originalUrl: '/builds/1',
  } as never
  const answered = {
    viewer: { scopes: ['public'] },
    etag: '"tag"',
    shown: { table: 'builds', id: 1, version: await versionOfBuild() } as const,
  }
  const ask = async () => {
    const asked = await recent.ask(request)
    if (!asked) throw new Error('not asked')
    return asked
  }
  recent.keep(await ask(), answered)
  const asked = await ask()
  await sql`update repositories set private = false`.execute(db)
  recent.keep(asked, answered)
  expect((await ask()).still).toBeUndefined()

  recent.keep(await ask(), answered)
  expect((await ask()).still?.etag).toBe('"tag"')
})

describe('a role that is given and taken while a response is made', () => {
  let afterNext: (() => Promise<unknown>) | undefined
  const interrupted = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const between = afterNext
      afterNext = undefined
      await between?.()
      return result
    },
  })

  test.each(paths)('leaves no response behind: GET %s', async (path) => {
    call = caller(await createServer({ ...ctx, db: interrupted }))
    const give = () =>
      sql`insert into permissions (user_id, repository_id, pull) values (1, 1, true)`.execute(db)
    const take = () => sql`delete from permissions`.execute(db)
    const known = { 'if-none-match': String((await read(path)).headers.etag) }
    expect((await read(path, known)).statusCode).toBe(304)
    await take()
    // The first statement of the call reads the grounds.
    afterNext = give
    expect((await read(path, known)).statusCode).toBe(304)
    await take()
    expect((await read(path, known)).statusCode).toBe(404)
  })
})
