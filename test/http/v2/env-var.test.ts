import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext, testSealer } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import {
  audited,
  badIds,
  byRole,
  clientOf,
  invalid,
  makeRoles,
  nobody,
  repositoryMissing,
  type Role,
  roles,
  settingMissing,
} from './roles.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: ReturnType<typeof clientOf>
beforeEach(async () => {
  call = clientOf(server, await makeRoles(db))
})

const prefixes = ['/settings/env_vars', '/repos/settings/env_vars']
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const anyId = expect.stringMatching(uuid) as unknown as string

interface Shown {
  id: string
  value?: string
}

/** Adds one as the pusher, to repository 1. */
async function add(env_var: object, repository = 1): Promise<Shown> {
  const path = `POST /settings/env_vars?repository_id=${repository}`
  const [status, body] = await call('pusher', path, { env_var })
  expect(status).toBe(200)
  return (body as { env_var: Shown }).env_var
}

const rows = () => db.selectFrom('env_vars').selectAll().orderBy('created_at').execute()

describe.each(prefixes)('%s', (prefix) => {
  test('lists the variables in the order in which they were added', async () => {
    const first = await add({ name: 'Z', value: '1', public: true })
    const second = await add({ name: 'A', value: 'hidden', branch: 'main' })
    await add({ name: 'B' }, 2)
    for (const path of [prefix, `${prefix}/`, `${prefix}.json`]) {
      expect(await call('pusher', `GET ${path}?repository_id=1`)).toEqual([
        200,
        {
          env_vars: [
            { id: first.id, name: 'Z', value: '1', public: true, branch: null, repository_id: 1 },
            { id: second.id, name: 'A', public: false, branch: 'main', repository_id: 1 },
          ],
        },
      ])
    }
  })

  test('adds, shows, changes and removes a variable', async () => {
    const [status, body] = await call('pusher', `POST ${prefix}?repository_id=1`, {
      env_var: { name: 'FOO', value: 'bar', public: true },
    })
    const added = {
      id: anyId,
      name: 'FOO',
      value: 'bar',
      public: true,
      branch: null,
      repository_id: 1,
    }
    expect([status, body]).toEqual([200, { env_var: added }])
    const { env_var } = body as { env_var: Shown }
    const path = `${prefix}/${env_var.id}`

    for (const query of ['', '?repository_id=1', '?slug=acme/web']) {
      expect(await call('pusher', `GET ${path}${query}`)).toEqual([200, { env_var }])
    }
    const changed = { ...env_var, value: 'other' }
    expect(
      await call('pusher', `PATCH ${path}?repository_id=1`, { env_var: { value: 'other' } }),
    ).toEqual([200, { env_var: changed }])
    expect(await call('pusher', `PATCH ${path}`)).toEqual([200, { env_var: changed }])
    expect(await call('pusher', `DELETE ${path}`)).toEqual([200, { env_var: changed }])
    expect(await call('pusher', `DELETE ${path}`)).toEqual(settingMissing)
    expect(await call('pusher', `GET ${prefix}?repository_id=1`)).toEqual([200, { env_vars: [] }])
  })
})

describe('POST', () => {
  const post = (body: string | object | undefined, who: Role = 'pusher') =>
    call(who, 'POST /settings/env_vars?repository_id=1', body)

  test.each<[object, object]>([
    [{ name: 'A' }, { name: 'A', public: false, branch: null }],
    [
      { name: 'A', public: true },
      { name: 'A', value: '', public: true, branch: null },
    ],
    [
      { name: 'A', value: null, public: 'yes', branch: '' },
      { name: 'A', value: '', public: true, branch: null },
    ],
    [
      { name: 'G', value: 7, public: 1 },
      { name: 'G', value: '7', public: true, branch: null },
    ],
    [
      { name: '_aB9', value: '"ü$(x)\n', public: true, branch: 'a/b' },
      { name: '_aB9', value: '"ü$(x)\n', public: true, branch: 'a/b' },
    ],
    [
      { name: 'A', id: 'b1946ac9-0000-4000-8000-000000000000', repository_id: 2, created_at: 1 },
      { name: 'A', public: false, branch: null },
    ],
  ])('%j adds %j', async (env_var, shown) => {
    expect(await post({ env_var })).toEqual([
      200,
      { env_var: { id: anyId, repository_id: 1, ...shown } },
    ])
  })

  test('also seals the value of a public variable', async () => {
    await add({ name: 'A', value: 'plain text', public: true })
    const [row] = await rows()
    const { id = '', sealed_value = '' } = row ?? {}
    expect(Buffer.from(sealed_value, 'base64').includes('plain text')).toBe(false)
    expect(testSealer.openText({ type: 'env_var', id }, sealed_value)).toBe('plain text')
  })

  test('accepts several variables of the same name', async () => {
    await add({ name: 'A', branch: 'main' })
    await add({ name: 'A', branch: 'main' })
    expect(await rows()).toHaveLength(2)
  })

  const nameMissing = { field: 'name', code: 'missing_field' }
  const notAVariable = {
    field: 'name',
    code: 'invalid',
    message:
      'name must be one that shells accept: letters, digits and underscores, with no digit first',
  }
  test.each<[string | object | undefined, object[]]>([
    [undefined, [nameMissing]],
    [{}, [nameMissing]],
    [{ env_var: {} }, [nameMissing]],
    [{ env_var: { name: '', value: 'x' } }, [nameMissing]],
    [{ env_var: { name: ' \n' } }, [nameMissing]],
    ...['\u0000', 'A B', '7', 'Ä', 'A-B', 'A;id', 'A\n'].map((name): [object, object[]] => [
      { env_var: { name } },
      [notAVariable],
    ]),
    [{ env_var: { name: 7 } }, [{ field: 'name', code: 'invalid' }]],
    [{ env_var: { name: null } }, [nameMissing]],
    [{ env_var: { name: ['A'] } }, [nameMissing]],
    [{ env_var: 'A=1' }, [nameMissing, { field: 'env_var', code: 'invalid' }]],
    [{ env_var: { name: 'A', value: 'a\u0000b' } }, [{ field: 'value', code: 'invalid' }]],
    [{ env_var: { name: 'A', value: {} } }, [{ field: 'value', code: 'invalid' }]],
    [{ env_var: { name: 'A', public: 'maybe' } }, [{ field: 'public', code: 'invalid' }]],
    [{ env_var: { name: 'A', branch: 'a\u0000' } }, [{ field: 'branch', code: 'invalid' }]],
  ])('refuses %j, and adds nothing', async (body, errors) => {
    expect(await post(body)).toEqual(invalid(...errors))
    expect(await rows()).toEqual([])
    expect(await audited(db)).toEqual([])
  })

  test.each(['{', 'env_var[name]=A', '[]'])('refuses %s, which is invalid JSON', async (body) => {
    expect(await post(body)).toEqual([400, 'Invalid JSON in request body'])
  })

  test('reads JSON whatever its content type', async () => {
    const body = '{"env_var": {"name": "A"}}'
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const [status] = await call('pusher', 'POST /settings/env_vars?repository_id=1', body, type)
      expect(status).toBe(200)
    }
  })
})

describe('PATCH', () => {
  const change = async (env_var: object, changes: unknown) => {
    const { id } = await add(env_var)
    return call('pusher', `PATCH /settings/env_vars/${id}`, { env_var: changes })
  }
  const stored = { name: 'A', value: 'secret', branch: 'main' }
  const shown = { id: anyId, name: 'A', public: false, branch: 'main', repository_id: 1 }

  test.each<[object, object]>([
    [{}, shown],
    [{ name: 'B' }, { ...shown, name: 'B' }],
    [{ value: 'new' }, shown],
    [{ branch: null }, { ...shown, branch: null }],
    [{ public: true }, { ...shown, public: true, value: 'secret' }],
    [
      { public: true, value: '' },
      { ...shown, public: true, value: '' },
    ],
    [{ id: 'x', repository_id: 2 }, shown],
  ])('with %j changes only those fields', async (changes, after) => {
    expect(await change(stored, changes)).toEqual([200, { env_var: after }])
    const [row] = await rows()
    expect(row).toMatchObject({ repository_id: 1 })
  })

  test('hides a value that becomes a secret', async () => {
    const public_ = { ...stored, public: true }
    expect(await change(public_, { public: false })).toEqual([200, { env_var: shown }])
  })

  test.each<[unknown, object]>([
    [{ name: '' }, { field: 'name', code: 'missing_field' }],
    [{ name: null }, { field: 'name', code: 'missing_field' }],
    [{ value: [] }, { field: 'value', code: 'invalid' }],
    [
      { public: 'maybe', value: 'new' },
      { field: 'public', code: 'invalid' },
    ],
    ['A=1', { field: 'env_var', code: 'invalid' }],
  ])('with %j is refused, and changes nothing', async (changes, error) => {
    expect(await change(stored, changes)).toEqual(invalid(error))
    const [row] = await rows()
    const { id = '', sealed_value = '' } = row ?? {}
    expect(testSealer.openText({ type: 'env_var', id }, sealed_value)).toBe('secret')
  })
})

test('no response and no audit record holds a secret value', async () => {
  const secret = 'correct horse battery staple'
  const { id } = await add({ name: 'A', value: secret })
  const answers = [
    await call('admin', 'GET /settings/env_vars?repository_id=1'),
    await call('admin', `GET /settings/env_vars/${id}`),
    await call('admin', `PATCH /settings/env_vars/${id}`, { env_var: { value: `${secret}!` } }),
    await call('admin', 'POST /settings/env_vars?repository_id=1', {
      env_var: { name: 'B', value: secret },
    }),
    await call('admin', `DELETE /settings/env_vars/${id}`),
  ]
  for (const answer of answers) {
    expect(answer[0]).toBe(200)
    expect(JSON.stringify(answer)).not.toMatch(/value|horse/)
  }
  const records = JSON.stringify(
    await db.selectFrom('audit_records').selectAll().orderBy('id').execute(),
  )
  expect(records).not.toContain('horse')
})

describe('access to variables', () => {
  /** The calls for a repository, and for one of its variables with and without its id. */
  const calls = (repository: number, id: string) => [
    `GET /settings/env_vars?repository_id=${repository}`,
    `POST /repos/settings/env_vars?repository_id=${repository}&env_var[name]=B`,
    `GET /settings/env_vars/${id}?repository_id=${repository}`,
    `PATCH /repos/settings/env_vars/${id}?repository_id=${repository}`,
    `GET /repos/settings/env_vars/${id}`,
    `PATCH /settings/env_vars/${id}`,
    `DELETE /settings/env_vars/${id}`,
  ]

  test.each(roles.flatMap((who) => [1, 2].map((repository) => [who, repository] as const)))(
    'as %s, of repository %i',
    async (who, repository) => {
      const { id } = await add({ name: 'A' }, repository)
      for (const asked of calls(repository, id)) {
        const missing = asked.includes('repository_id') ? repositoryMissing : settingMissing
        const expected = byRole([200, expect.anything()], missing)[who]
        expect([asked, ...(await call(who, asked))]).toEqual([asked, ...expected])
      }
    },
  )

  test.each(['', '?repository_id=', '?repository_id[]=1', '?slug=acme', '?repository_id=7'])(
    'no repository is found by "%s"',
    async (query) => {
      expect(await call('admin', `GET /settings/env_vars${query}`)).toEqual(repositoryMissing)
      expect(await call('admin', `POST /settings/env_vars${query}`)).toEqual(repositoryMissing)
    },
  )

  test.each([1, '1'])('a body can name the repository: %j', async (repository_id) => {
    const body = { repository_id, env_var: { name: 'BODY', value: '1', public: true } }
    expect(await call('pusher', 'POST /settings/env_vars', body)).toMatchObject([
      200,
      { env_var: { name: 'BODY', repository_id: 1 } },
    ])
  })

  test.each(badIds)('no repository has the id %s', async (id) => {
    expect(await call('admin', `GET /settings/env_vars?repository_id=${id}`)).toEqual(
      repositoryMissing,
    )
    const { id: variable } = await add({ name: 'A' })
    expect(await call('admin', `GET /settings/env_vars/${variable}?repository_id=${id}`)).toEqual(
      repositoryMissing,
    )
  })

  test.each([...badIds, '1', '00000000-0000-4000-8000-00000000000', '0'.repeat(32)])(
    'no variable has the id %s',
    async (id) => {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const path = `${method} /settings/env_vars/${id}`
        expect(await call('admin', path)).toEqual(settingMissing)
        expect(await call('admin', `${path}?repository_id=1`)).toEqual(settingMissing)
      }
    },
  )

  test('a variable of another repository is not found', async () => {
    const { id } = await add({ name: 'A' }, 2)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await call('admin', `${method} /settings/env_vars/${id}?repository_id=1`)).toEqual(
        settingMissing,
      )
    }
    expect(await rows()).toHaveLength(1)
  })

  test('writing needs a token with the scope for settings, reading does not', async () => {
    const make = factories(db)
    const user = await make.user('builder')
    const repository = await make.repository({ name: 'own' })
    await make.permission(user, repository, 'push')
    const token = await make.token(user, ['public', 'private', 'read'])
    const limited = clientOf(server, { ...nobody, pusher: token })
    const path = `/settings/env_vars?repository_id=${repository.id}`
    expect(await limited('pusher', `GET ${path}`)).toEqual([200, { env_vars: [] }])
    expect(await limited('pusher', `POST ${path}`)).toEqual([403, 'insufficient access'])
  })
})

test.each([
  ['name', 3.1, 'invalid'],
  ['value', 2 ** 64, 'invalid'],
  ['value', 3.1, 'invalid'],
  ['value', 'a\u0000', 'invalid'],
])('%s %j is refused rather than stored as something else', async (field, given, code) => {
  const { id } = await add({ name: 'A', value: '1', public: true })
  const refused = invalid({ field, code })
  const path = `PATCH /settings/env_vars/${id}`
  expect(await call('pusher', path, { env_var: { [field]: given } })).toEqual(refused)
  const post = 'POST /settings/env_vars?repository_id=1'
  const env_var = { name: 'B', value: '1', [field]: given }
  expect(await call('pusher', post, { env_var })).toEqual(refused)
  expect((await rows()).map(({ name }) => name)).toEqual(['A'])
})

test('a body that names a repository other than the variable’s finds no variable', async () => {
  const { id } = await add({ name: 'A', value: '1', public: true })
  const body = { repository_id: 2, env_var: { value: '2' } }
  expect((await call('pusher', `PATCH /settings/env_vars/${id}`, body))[0]).toBe(404)
  expect(await call('pusher', `GET /settings/env_vars/${id}`)).toMatchObject([
    200,
    { env_var: { value: '1' } },
  ])
})

test('every change is recorded, without values', async () => {
  const { id } = await add({ name: 'A', value: 'secret' })
  const path = `/settings/env_vars/${id}`
  await call('admin', `PATCH ${path}`, { env_var: { value: 'x', public: true } })
  await call('admin', `PATCH ${path}`, { env_var: {} })
  await call('admin', `PATCH ${path}`, { env_var: { name: 'A', branch: null, public: true } })
  await call('admin', `DELETE ${path}`)
  const record = { subject: 'repository 1', address: '127.0.0.1', byToken: true }
  expect(await audited(db)).toEqual([
    {
      ...record,
      actor: 'pusher',
      action: 'add_env_var',
      changed: { id, name: 'A', public: false, branch: null },
    },
    {
      ...record,
      actor: 'admin',
      action: 'change_env_var',
      changed: {
        ...{ id, name: 'A', branch: null, public: true },
        ...{ members: ['public', 'value'], before: { public: false } },
      },
    },
    { ...record, actor: 'admin', action: 'remove_env_var', changed: { id, name: 'A' } },
  ])
})
