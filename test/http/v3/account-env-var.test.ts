import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Organization, User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { expectDeclared } from '../../support/declared-errors.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { badIds } from '../v2/roles.ts'
import { type Answer, missing, noLogin, refused, rowCounts } from './roles.ts'

const { db } = await ownDatabase()
const make = factories(db)
const send = caller(await createServer(testContext(db)))

type Person = User & { token: string }

let acme: Organization
let other: Organization
let admin: Person
let member: Person
let stranger: Person

async function call(who: Person | undefined, asked: string, body?: object): Promise<Answer> {
  const headers = {
    'service-api-version': '3',
    ...(who && { authorization: `token ${who.token}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const answer = await send(asked, headers, body && JSON.stringify(body))
  const answered = answer.body === '' ? null : answer.json<unknown>()
  expectDeclared(asked, answer.statusCode, answered)
  return [answer.statusCode, answered]
}

beforeAll(async () => {
  acme = await make.organization('acme')
  other = await make.organization('other')
  admin = await make.user('admin')
  member = await make.user('member')
  stranger = await make.user('stranger')
  for (const organization of [acme, other]) await make.membership(admin, organization, 'admin')
  await make.membership(member, acme)
})

beforeEach(async () => {
  await db.deleteFrom('env_vars').execute()
  await db.deleteFrom('audit_records').execute()
})

const audited = async () =>
  (
    await db
      .selectFrom('audit_records')
      .select(['actor', 'action', 'subject_type', 'subject_id', 'details'])
      .orderBy('id')
      .execute()
  ).map(({ details: { changed }, ...record }) => ({ ...record, changed }))

/** A path of an organization or a user. */
const at = (of: Organization | Person) => ('token' in of ? `/user/${of.id}` : `/org/${of.id}`)

const shown = (of: Organization | Person, id: string, members: object) => ({
  '@type': 'account_env_var',
  '@href': `${at(of)}/account_env_var/${id}`,
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  id,
  ...members,
})

async function add(who: Person, of: Organization | Person, members: object): Promise<string> {
  const [status, body] = await call(who, `POST ${at(of)}/account_env_vars`, members)
  expect(status).toBe(201)
  return (body as { id: string }).id
}

const loud = { name: 'VOICE', value: 'loud', public: true }
const hidden = { name: 'TOKEN', public: false }

/** Both kinds of owners, with who can change what they have. */
const owners = () => [
  { of: acme, who: admin },
  { of: stranger, who: stranger },
]

describe('account_env_vars', () => {
  test('are added by admins of an organization and by users for themselves, and are listed', async () => {
    for (const { of, who } of owners()) {
      const path = `${at(of)}/account_env_vars`
      const [status, added] = await call(who, `POST ${path}`, loud)
      const { id } = added as { id: string }
      expect([status, added]).toEqual([201, shown(of, id, loud)])
      const secret = await add(who, of, { ...hidden, value: 'sesame' })
      expect(await call(who, `GET ${path}`)).toEqual([
        200,
        {
          '@type': 'account_env_vars',
          '@href': path,
          '@representation': 'standard',
          account_env_vars: [shown(of, id, loud), shown(of, secret, hidden)],
        },
      ])
    }
    expect(await audited()).toMatchObject([
      { actor: 'admin', action: 'add_env_var', subject_type: 'organization', subject_id: acme.id },
      { changed: { name: 'TOKEN', public: false } },
      { actor: 'stranger', subject_type: 'user', subject_id: stranger.id },
      {},
    ])
  })

  test('are shown with their owner only to users who can change them', async () => {
    for (const { of, who } of owners()) {
      const id = await add(who, of, loud)
      const minimal = {
        '@type': 'account_env_var',
        '@href': `${at(of)}/account_env_var/${id}`,
        '@representation': 'minimal',
        '@permissions': { read: true, write: true },
        id,
        name: 'VOICE',
        public: true,
      }
      for (const path of [at(of), `/owner/${of.login}`]) {
        expect(await call(who, `GET ${path}`)).toMatchObject([200, { account_env_vars: [minimal] }])
        for (const each of [member, undefined]) {
          expect(await call(each, `GET ${path}`)).toMatchObject([200, { account_env_vars: [] }])
        }
      }
      expect(
        await call(
          who,
          `GET ${at(of)}?include=owner.account_env_vars,${typeOf(of)}.account_env_vars`,
        ),
      ).toMatchObject([200, { account_env_vars: [shown(of, id, loud)] }])
    }
  })

  test('have unique names within their owner', async () => {
    await add(admin, acme, { name: 'A' })
    const again = () => call(admin, `POST ${at(acme)}/account_env_vars`, { name: 'A' })
    const taken = refused(
      'duplicate_resource',
      409,
      'there is a variable A for all branches already',
    )
    expect(await Promise.all([again(), again()])).toEqual([taken, taken])
    const id = await add(admin, acme, { name: 'B' })
    expect(await call(admin, `PATCH ${at(acme)}/account_env_var/${id}`, { name: 'A' })).toEqual(
      taken,
    )
    await add(admin, other, { name: 'A' })
    await add(admin, admin, { name: 'A' })
  })

  test.each([
    [{}, 'name missing field'],
    [{ name: ' ' }, 'name missing field'],
    [{ name: 'A B' }, /^name must be one that shells accept/],
    [{ name: 'A', value: {} }, 'value invalid'],
    [{ name: 'A', public: 'perhaps' }, 'public invalid'],
  ])('are not added from %j', async (body, message) => {
    const [status, answer] = await call(admin, `POST ${at(acme)}/account_env_vars`, body)
    expect([status, answer]).toMatchObject([422, { error_type: 'unprocessable_entity' }])
    const { error_message } = answer as { error_message: string }
    expect(error_message.replace('validation failed: ', '')).toMatch(message)
    expect(await rowCounts(db)).toMatchObject({ env_vars: 0, audit_records: 0 })
  })

  test('are neither shown to nor added by anyone else', async () => {
    const refusedTo = async (who: Person | undefined, of: Organization | Person) => {
      const paths = ['GET', 'POST'].map((method) => `${method} ${at(of)}/account_env_vars`)
      const answers = await Promise.all(paths.map((path) => call(who, path, { name: 'A' })))
      return answers.map(([status, body]) => [status, (body as { error_type: string }).error_type])
    }
    const insufficient = [403, 'insufficient_access']
    for (const [who, of] of [
      [member, acme],
      [stranger, acme],
      [admin, stranger],
      [admin, member],
    ] as const) {
      expect(await refusedTo(who, of)).toEqual([insufficient, insufficient])
    }
    const login = [403, 'login_required']
    expect(await refusedTo(undefined, acme)).toEqual([login, login])
    for (const path of ['/org/999', '/user/999']) {
      expect(await call(admin, `GET ${path}/account_env_vars`)).toEqual(missing('owner'))
    }
    expect(await rowCounts(db)).toMatchObject({ env_vars: 0, audit_records: 0 })
  })

  test('are refused to tokens limited to repositories, and read-only for tokens that only read', async () => {
    const id = await add(admin, acme, loud)
    const token = async (scopes: object) => {
      const [, body] = await call(admin, 'POST /tokens', { name: 'x', ...scopes })
      return { ...admin, token: (body as { token: string }).token }
    }
    const reads = await token({ scopes: ['read'] })
    const path = `${at(acme)}/account_env_var/${id}`
    expect(await call(reads, `GET ${path}`)).toEqual([200, shown(acme, id, loud)])
    expect(await call(reads, `PATCH ${path}`, { value: 'x' })).toMatchObject([
      403,
      { error_type: 'insufficient_access' },
    ])
    const repository = await make.repository({ owner_name: 'acme', name: 'web' })
    await make.permission(admin, repository, 'admin')
    const limited = await token({ repositories: [repository.id] })
    expect(await call(limited, `GET ${path}`)).toEqual(missing('account_env_var'))
    expect(await call(limited, `GET ${at(admin)}/account_env_vars`)).toMatchObject([403, {}])
  })
})

const typeOf = (of: Organization | Person) => ('token' in of ? 'user' : 'organization')

describe('account_env_var', () => {
  test('is found, and changes only in the given fields', async () => {
    for (const { of, who } of owners()) {
      const id = await add(who, of, { ...hidden, value: 'sesame' })
      const path = `${at(of)}/account_env_var/${id}`
      expect(await call(who, `GET ${path}`)).toEqual([200, shown(of, id, hidden)])
      expect(await call(who, `PATCH ${path}`, { public: true })).toEqual([
        200,
        shown(of, id, { ...hidden, public: true, value: 'sesame' }),
      ])
      const changed = { name: 'KEY', value: '' }
      expect(await call(who, `PATCH ${path}`, { account_env_var: changed })).toEqual([
        200,
        shown(of, id, { ...changed, public: true }),
      ])
    }
    const records = await audited()
    expect(records).toMatchObject([
      { action: 'add_env_var' },
      { action: 'change_env_var', subject_type: 'organization', changed: { members: ['public'] } },
      { action: 'change_env_var', changed: { members: ['name', 'value'] } },
      { action: 'add_env_var' },
      { action: 'change_env_var', subject_type: 'user', changed: { members: ['public'] } },
      {},
    ])
    expect(JSON.stringify(records)).not.toContain('sesame')
  })

  test('is missing once it is deleted', async () => {
    const path = `${at(acme)}/account_env_var/${await add(admin, acme, loud)}`
    expect(await call(admin, `DELETE ${path}`)).toEqual([204, null])
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await call(admin, `${method} ${path}`)).toEqual(missing('account_env_var'))
    }
    expect(await audited()).toMatchObject([{}, { action: 'remove_env_var' }])
  })

  test('is only found below its own owner, and not below a repository', async () => {
    const id = await add(admin, acme, loud)
    const repository = await make.repository({ owner_name: 'acme', name: 'site' })
    await make.permission(admin, repository, 'admin')
    for (const path of [
      `${at(other)}/account_env_var/${id}`,
      `${at(admin)}/account_env_var/${id}`,
    ]) {
      expect(await call(admin, `GET ${path}`)).toEqual(missing('account_env_var'))
      expect(await call(admin, `DELETE ${path}`)).toEqual(missing('account_env_var'))
    }
    const below = `/repo/${repository.id}/env_var/${id}`
    expect(await call(admin, `GET ${below}`)).toEqual(missing('env_var'))
    const [, { id: own }] = (await call(admin, `POST /repo/${repository.id}/env_vars`, {
      name: 'VOICE',
    })) as readonly [number, { id: string }]
    expect(await call(admin, `GET ${at(acme)}/account_env_var/${own}`)).toEqual(
      missing('account_env_var'),
    )
    expect(await rowCounts(db)).toMatchObject({ env_vars: 2 })
  })

  test.each(badIds)('is not found by the id %s', async (id) => {
    expect(await call(admin, `GET ${at(acme)}/account_env_var/${id}`)).toEqual(
      missing('account_env_var'),
    )
  })

  test('looks missing to users who cannot change it', async () => {
    const id = await add(admin, acme, loud)
    const gone = id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      for (const each of [id, gone]) {
        const asked = `${method} ${at(acme)}/account_env_var/${each}`
        for (const who of [member, stranger]) {
          expect(await call(who, asked, { value: 'x' })).toEqual(missing('account_env_var'))
        }
        expect(await call(undefined, asked, { value: 'x' })).toEqual(noLogin)
      }
    }
    expect(await call(admin, `GET ${at(acme)}/account_env_var/${id}`)).toEqual([
      200,
      shown(acme, id, loud),
    ])
  })
})

test('a secret value that logs cannot mask leads to a warning', async () => {
  const path = `${at(acme)}/account_env_vars`
  const [, added] = await call(admin, `POST ${path}`, { name: 'A', value: 'abc' })
  const warned = { warning_type: 'unmasked_value', parameter: 'account_env_var.value' }
  expect(added).toMatchObject({ '@warnings': [warned] })
  const { id } = added as { id: string }
  const one = `PATCH ${at(acme)}/account_env_var/${id}`
  expect((await call(admin, one, { value: 'true' }))[1]).toMatchObject({ '@warnings': [warned] })
  expect((await call(admin, one, { value: 'hunter2' }))[1]).not.toHaveProperty('@warnings')
})
