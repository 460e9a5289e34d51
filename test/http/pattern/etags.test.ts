import { gunzipSync } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import { json } from '../../../src/store/tables.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const ctx = testContext(db)
const call = caller(await createServer(ctx))

/** Of a reader, and of the same reader with a token for what is public alone. */
let headers: Record<string, string>
let others: Record<string, string>

// Build 1 is of a push, build 2 of a pull request; repository 1 is an organization's.
beforeEach(async () => {
  const make = factories(db)
  const reader = await make.user('reader')
  headers = { authorization: `token ${reader.token}` }
  others = { authorization: `token ${await make.token(reader, ['public'])}` }
  const acme = await make.organization('acme')
  const repository = await make.repository({
    owner_id: acme.id,
    owner_type: 'Organization',
    owner_name: 'acme',
    name: 'web',
  })
  await make.repository({ name: 'other' })
  const build = await make.build({ repository, state: 'started', started_at: noon })
  await make.job({
    build,
    config: json({ script: 'x'.repeat(3000), env: [{ secure: 'c2VhbGVk' }] }),
  })
  await make.job({ build })
  const pull = await make.pullRequest(repository, { title: 'Greet' })
  const requested = { event_type: 'pull_request', pull_request_id: pull.id } as const
  await make.build({ repository, ...requested })
  await sql`update requests set pull_request_id = ${pull.id}, commit_id = id`.execute(db)
  await sql`update repositories set last_build_id = 1 where id = 1`.execute(db)
  const main = await putBranch(db, repository.id, 'main')
  await setLastBuildOfBranch(db, main.id, build.id, null)
})

const v3 = { 'service-api-version': '3' }

const endpoints = {
  '/repos/1': {},
  '/builds/1': {},
  '/builds/2': {},
  '/repos/1/branches/main': {},
  '/requests/2': {},
  '/repo/1': v3,
} as const
type Path = keyof typeof endpoints

/** Reads with the headers of an endpoint, as a reader who may have read before. */
const read = (path: string, more: Record<string, string> = {}, as = headers) =>
  call(`GET ${path}`, { ...as, ...endpoints[path.split('?')[0] as Path], ...more })

const tagOf = async (path: string, more = {}, as = headers) =>
  String((await read(path, more, as)).headers.etag)

const paths = Object.keys(endpoints) as Path[]

describe.each(paths)('GET %s', (path) => {
  test('is sent again only after it has changed', async () => {
    const whole = await read(path)
    const etag = String(whole.headers.etag)
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(whole.headers['cache-control']).toBe('no-cache')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await call(`${method} ${path}`, {
          ...headers,
          ...endpoints[path],
          'if-none-match': known,
        })
        expect([answer.statusCode, answer.body]).toEqual([304, ''])
        const { 'content-type': _type, 'content-length': _length, ...rest } = whole.headers
        expect({ ...answer.headers, date: '' }).toEqual({ ...rest, date: '' })
      }
    }
    const other = await read(path, { 'if-none-match': '"other", W/"another"' })
    expect([other.statusCode, other.body]).toEqual([200, whole.body])
  })

  test('costs a login and one statement if the client has it already', async () => {
    const etag = await tagOf(path)
    const statements = watchStatements()
    await read(path, { 'if-none-match': etag })
    expect(statements).toHaveLength(2)
  })

  test('is sent again to another viewer, at another path and by another version of the service', async () => {
    const etag = await tagOf(path)
    const again = (asked: string, as = headers) =>
      read(asked, { ...endpoints[path], 'if-none-match': etag }, as)
    expect((await again(path, {})).statusCode).toBe(200)
    expect((await again(path, others)).statusCode).toBe(200)
    expect((await again(`${path}?pretty=true`)).statusCode).toBe(200)
    const { version } = ctx.site
    ctx.site.version = '9.9.9'
    expect((await again(path)).statusCode).toBe(200)
    ctx.site.version = version
    expect((await again(path)).statusCode).toBe(304)
  })

  test('is missing for users who can no longer see it', async () => {
    await sql`update repositories set private = true`.execute(db)
    await sql`insert into permissions (user_id, repository_id, pull) values (1, 1, true)`.execute(
      db,
    )
    const etag = await tagOf(path)
    expect((await read(path, { 'if-none-match': etag })).statusCode).toBe(304)
    await sql`delete from permissions`.execute(db)
    expect((await read(path, { 'if-none-match': etag })).statusCode).toBe(404)
    expect((await read(path, { 'if-none-match': '*' })).statusCode).toBe(404)
  })
})

/** Every column that an answer shows, and what makes it another one. */
const shown: Readonly<Record<Path, readonly RawBuilder<unknown>[]>> = {
  '/repos/1': [
    sql`update repositories set name = 'new' where id = 1`,
    sql`update repositories set owner_name = 'new' where id = 1`,
    sql`update repositories set description = 'new' where id = 1`,
    sql`update repositories set active = false where id = 1`,
    sql`update repositories set codehost_language = 'new' where id = 1`,
    sql`update repositories set last_build_id = 2 where id = 1`,
    sql`update builds set state = 'passed', finished_at = now() where id = 1`,
    sql`update builds set duration = 5 where id = 1`,
    sql`update builds set number = 7 where id = 1`,
    sql`update builds set started_at = now() where id = 1`,
    sql`update builds set private = true where id = 1`,
  ],
  '/builds/1': [
    sql`update builds set state = 'passed', finished_at = now() where id = 1`,
    sql`update builds set config = '{"a": 1}' where id = 1`,
    sql`update builds set duration = 5 where id = 1`,
    sql`update jobs set state = 'passed', finished_at = now() where id = 2`,
    sql`update jobs set config = '{"a": 1}' where id = 1`,
    sql`update jobs set allow_failure = true where id = 2`,
    sql`delete from jobs where id = 2`,
    sql`insert into jobs (repository_id, build_id, commit_id, owner_id, owner_type, number, state, queue, private)
      values (1, 1, 1, 1, 'User', '1.9', 'created', 'q', false)`,
    sql`update commits set message = 'new' where id = 1`,
    sql`update requests set from_fork = true where id = 1`,
    sql`update repositories set name = 'new' where id = 1`,
    sql`update repositories set owner_name = 'new' where id = 1`,
    sql`update repositories set default_branch_name = 'new' where id = 1`,
  ],
  '/builds/2': [
    sql`update pull_requests set title = 'new'`,
    sql`update pull_requests set number = 77`,
    sql`update builds set pull_request_id = null where id = 2`,
  ],
  '/repos/1/branches/main': [
    sql`update branches set last_build_id = 2`,
    sql`update builds set state = 'passed', finished_at = now() where id = 1`,
    sql`update builds set config = '{"a": 1}' where id = 1`,
    sql`update commits set message = 'new' where id = 1`,
    sql`delete from jobs where id = 2`,
    sql`update repositories set default_branch_name = 'new' where id = 1`,
  ],
  '/requests/2': [
    sql`update requests set result = 'rejected' where id = 2`,
    sql`update requests set message = 'new' where id = 2`,
    sql`update requests set head_commit = 'new' where id = 2`,
    sql`update commits set message = 'new' where id = 2`,
    sql`update pull_requests set title = 'new'`,
    sql`delete from builds where request_id = 2`,
  ],
  '/repo/1': [
    sql`update repositories set name = 'new' where id = 1`,
    sql`update repositories set description = 'new' where id = 1`,
    sql`update repositories set default_branch_name = 'new' where id = 1`,
    sql`update repositories set managed_by_installation = true where id = 1`,
    sql`update repositories set owner_type = 'User', owner_id = 1 where id = 1`,
    sql`update organizations set login = 'new'`,
    sql`update organizations set name = 'new'`,
    sql`insert into stars (user_id, repository_id) values (1, 1)`,
    sql`insert into memberships (user_id, organization_id, role) values (1, 1, 'member')`,
    sql`insert into permissions (user_id, repository_id, pull) values (1, 1, true)`,
    sql`insert into permissions (user_id, repository_id, pull, admin) values (1, 1, true, true)`,
  ],
}

const changes = paths.flatMap((path) => shown[path].map((_change, index) => [path, index] as const))

describe('a response that differs has another ETag', () => {
  test.each(changes)('%s, after change %i', async (path, index) => {
    const before = await read(path)
    await shown[path][index]?.execute(db)
    const after = await read(path, { 'if-none-match': String(before.headers.etag) })
    expect(after.statusCode).toBe(200)
    expect(after.body).not.toBe(before.body)
  })

  test('also after changes of a viewer’s memberships and permissions', async () => {
    await sql`insert into memberships (user_id, organization_id, role) values (1, 1, 'member')`.execute(
      db,
    )
    await sql`insert into permissions (user_id, repository_id, pull) values (1, 1, true)`.execute(
      db,
    )
    for (const change of [
      sql`update memberships set role = 'admin'`,
      sql`update permissions set push = true`,
      sql`delete from memberships`,
    ]) {
      const before = await read('/repo/1')
      await change.execute(db)
      const after = await read('/repo/1', { 'if-none-match': String(before.headers.etag) })
      expect(after.statusCode).toBe(200)
      expect(after.body).not.toBe(before.body)
    }
  })
})

test('a response has another ETag for a viewer who sees fewer jobs of the same build', async () => {
  await sql`update jobs set private = true where id = 2`.execute(db)
  await sql`insert into permissions (user_id, repository_id, pull) values (1, 1, true)`.execute(db)
  for (const path of ['/builds/1', '/repos/1/branches/main'] as const) {
    const before = await read(path)
    await sql`delete from permissions`.execute(db)
    const after = await read(path, { 'if-none-match': String(before.headers.etag) })
    expect(after.statusCode).toBe(200)
    expect(after.body).not.toBe(before.body)
    await sql`insert into permissions (user_id, repository_id, pull) values (1, 1, true)`.execute(
      db,
    )
  }
})

test('a change of values that are not in a response keeps its ETag', async () => {
  const etag = await tagOf('/builds/1')
  await sql`update repositories set next_build_number = 99, description = 'new'`.execute(db)
  expect((await read('/builds/1', { 'if-none-match': etag })).statusCode).toBe(304)
})

test('a response with an include has no ETag, because included records have their own versions', async () => {
  const { headers: sent } = await read('/repo/1?include=repository.last_started_build')
  expect(sent).not.toHaveProperty('etag')
})

test('compressed content has its own tag', async () => {
  const plain = await read('/builds/1')
  const packed = await read('/builds/1', { 'accept-encoding': 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
  const etag = String(packed.headers.etag)
  expect(etag).toBe(String(plain.headers.etag).replace(/"$/, '-gzip"'))

  const again = await read('/builds/1', { 'accept-encoding': 'gzip', 'if-none-match': etag })
  expect([again.statusCode, again.headers.etag]).toEqual([304, etag])
  expect(again.headers.vary).toBe(packed.headers.vary)
})

test('an unacceptable type is refused before the ETag is compared', async () => {
  const etag = await tagOf('/builds/1')
  const answer = await read('/builds/1', { accept: 'image/png', 'if-none-match': etag })
  expect(answer.statusCode).toBe(406)
})
