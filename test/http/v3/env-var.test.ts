import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { audited, badIds } from '../v2/roles.ts'
import { callerOf, forms, hiddenAs, missing, refusals, refused, rowCounts } from './roles.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: Awaited<ReturnType<typeof callerOf>>
beforeEach(async () => {
  call = await callerOf(server, db)
})

const shown = (id: string, members: object, representation = 'standard') => ({
  '@type': 'env_var',
  '@href': `/repo/1/env_var/${id}`,
  '@representation': representation,
  '@permissions': { read: true, write: true },
  id,
  ...members,
})

/** Adds a variable to a repository as its pusher. */
async function add(members: object, repository = 1): Promise<string> {
  const [status, body] = await call('pusher', `POST /repo/${repository}/env_vars`, members)
  expect(status).toBe(201)
  return (body as { id: string }).id
}

const loud = { name: 'VOICE', public: true, branch: null, value: 'loud' }
const hidden = { name: 'TOKEN', public: false, branch: 'main' }

describe('env_vars', () => {
  test.each([
    ['dotted', { 'env_var.name': 'VOICE', 'env_var.value': 'loud', 'env_var.public': true }],
    ['nested', { env_var: { name: 'VOICE', value: 'loud', public: true } }],
    ['plain', { name: 'VOICE', value: 'loud', public: 'yes' }],
    ['plain, with its type', { '@type': 'env_var', name: 'VOICE', value: 'loud', public: 1 }],
  ])('are added by %s parameters, and listed', async (_form, body) => {
    const [status, added] = await call('pusher', 'POST /repo/1/env_vars', body)
    const { id } = added as { id: string }
    expect([status, added]).toEqual([201, shown(id, loud)])
    expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    for (const form of forms) {
      expect(await call('pusher', `GET ${form}/env_vars`)).toEqual([
        200,
        {
          '@type': 'env_vars',
          '@href': `${form}/env_vars`,
          '@representation': 'standard',
          env_vars: [shown(id, loud)],
        },
      ])
    }
    expect(await audited(db)).toMatchObject([
      { actor: 'pusher', action: 'add_env_var', changed: { id, name: 'VOICE' }, byToken: true },
    ])
  })

  test('are shown in the order in which they were added, without secret values', async () => {
    const first = await add({ ...hidden, value: 'sesame' })
    const second = await add(loud)
    await add({ name: 'OTHER' }, 2)
    const list = (query: string, representation: string, ...env_vars: object[]) => ({
      '@type': 'env_vars',
      '@href': `/repo/1/env_vars${query}`,
      '@representation': representation,
      env_vars,
    })
    expect(await call('admin', 'GET /repo/1/env_vars')).toEqual([
      200,
      list('', 'standard', shown(first, hidden), shown(second, loud)),
    ])
    const query = '?representation=minimal'
    const [, body] = await call('admin', `GET /repo/1/env_vars${query}`)
    const { value: _value, ...short } = loud
    expect(body).toEqual(
      list(query, 'minimal', shown(first, hidden, 'minimal'), shown(second, short, 'minimal')),
    )
    expect(JSON.stringify(body)).not.toContain('sesame')
  })

  test('can have the same name on different branches only', async () => {
    await add({ name: 'A', value: '1' })
    await add({ name: 'A', value: '2', branch: 'main' })
    const before = await rowCounts(db)
    expect(await call('pusher', 'POST /repo/1/env_vars', { name: 'A' })).toEqual(
      refused('duplicate_resource', 409, 'there is a variable A for all branches already'),
    )
    expect(await call('pusher', 'POST /repo/1/env_vars', { name: 'A', branch: 'main' })).toEqual(
      refused('duplicate_resource', 409, 'there is a variable A for branch main already'),
    )
    expect(await rowCounts(db)).toEqual(before)
    await add({ name: 'A' }, 2)
  })

  test('are added once if several calls add the same name at the same time', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => call('pusher', 'POST /repo/1/env_vars', { name: 'A' })),
    )
    expect(answers.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409,
    ])
    expect(await rowCounts(db)).toMatchObject({ env_vars: 1 })
  })

  test.each([
    [{}, 'validation failed: name missing field'],
    [{ name: ' ' }, 'validation failed: name missing field'],
    [{ name: { a: 1 } }, 'validation failed: name missing field'],
    [{ name: 'A', value: { a: 1 } }, 'validation failed: value invalid'],
    [{ name: 'A', public: 'perhaps' }, 'validation failed: public invalid'],
    [
      { name: 'A', branch: ['main'], value: [] },
      'validation failed: value invalid, branch invalid',
    ],
  ])('are not added from %j', async (body, message) => {
    expect(await call('pusher', 'POST /repo/1/env_vars', body)).toEqual(
      refused('unprocessable_entity', 422, message),
    )
    expect(await rowCounts(db)).toMatchObject({ env_vars: 0, audit_records: 0 })
  })

  test.each(refusals)('are neither shown to nor added by: %s', async (who, ...answers) => {
    for (const method of ['GET', 'POST']) {
      const paths = [1, 2, 9].map((id) => `${method} /repo/${id}/env_vars`)
      expect(await Promise.all(paths.map((path) => call(who, path, { name: 'A' })))).toEqual(
        answers,
      )
    }
    expect(await rowCounts(db)).toMatchObject({ env_vars: 0, audit_records: 0 })
  })

  test('are not added if an include is invalid', async () => {
    const path = 'POST /repo/1/env_vars?include=env_var.colour'
    expect(await call('pusher', path, { name: 'A' })).toMatchObject([
      400,
      { error_type: 'wrong_params' },
    ])
    expect(await rowCounts(db)).toMatchObject({ env_vars: 0 })
  })
})

describe('env_var', () => {
  test('is found at each form of its path by users with push access', async () => {
    const id = await add(loud)
    for (const form of forms) {
      expect(await call('pusher', `GET ${form}/env_var/${id}`)).toEqual([200, shown(id, loud)])
    }
  })

  test('cannot take the name and branch of another variable', async () => {
    await add({ ...loud, name: 'TAKEN', branch: null })
    const path = `PATCH /repo/1/env_var/${await add({ ...loud, name: 'FREE', branch: null })}`
    const duplicate = (where: string) =>
      refused('duplicate_resource', 409, `there is a variable TAKEN for ${where} already`)
    expect(await call('pusher', path, { name: 'TAKEN' })).toEqual(duplicate('all branches'))
    expect(await call('pusher', path, { name: 'TAKEN', branch: 'main' })).toMatchObject([200, {}])
    expect(await call('pusher', path, { branch: null })).toEqual(duplicate('all branches'))
    expect(await call('pusher', path, { name: 'TAKEN', value: 'x' })).toMatchObject([200, {}])
  })

  test('changes only in the given fields', async () => {
    const id = await add({ ...hidden, value: 'sesame' })
    const path = `PATCH /repo/1/env_var/${id}`
    expect(await call('pusher', path, { public: true })).toEqual([
      200,
      shown(id, { ...hidden, public: true, value: 'sesame' }),
    ])
    const renamed = { name: 'KEY', value: '', branch: null }
    expect(await call('pusher', path, { env_var: renamed })).toEqual([
      200,
      shown(id, { ...renamed, public: true }),
    ])
    expect(await call('pusher', path, {})).toEqual([200, shown(id, { ...renamed, public: true })])
    expect(await audited(db)).toMatchObject([
      { action: 'add_env_var' },
      { action: 'change_env_var', changed: { members: ['public'] } },
      { action: 'change_env_var', changed: { members: ['name', 'branch', 'value'] } },
    ])
    expect(await call('pusher', path, { name: '' })).toEqual(
      refused('unprocessable_entity', 422, 'validation failed: name missing field'),
    )
  })

  test('is missing once it is deleted', async () => {
    const id = await add(loud)
    expect(await call('pusher', `DELETE /repo/1/env_var/${id}`)).toEqual([204, null])
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await call('pusher', `${method} /repo/1/env_var/${id}`)).toEqual(missing('env_var'))
    }
    expect(await audited(db)).toMatchObject([{}, { action: 'remove_env_var', changed: { id } }])
  })

  test('is only found below its own repository', async () => {
    const id = await add(loud, 2)
    expect(await call('pusher', `GET /repo/1/env_var/${id}`)).toEqual(missing('env_var'))
    expect(await call('pusher', `DELETE /repo/1/env_var/${id}`)).toEqual(missing('env_var'))
    expect(await rowCounts(db)).toMatchObject({ env_vars: 1 })
  })

  test.each([...badIds, '00000000-0000-4000-8000-00000000000x'])(
    'is not found by the id %s',
    async (id) => {
      expect(await call('pusher', `GET /repo/1/env_var/${id}`)).toEqual(missing('env_var'))
    },
  )

  test.each(hiddenAs('env_var'))('looks missing to %s', async (who, answer) => {
    const id = await add(loud)
    const gone = id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    const before = await rowCounts(db)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      for (const each of [id, gone]) {
        expect(await call(who, `${method} /repo/1/env_var/${each}`, { value: 'x' })).toEqual(answer)
      }
    }
    expect(await rowCounts(db)).toEqual(before)
  })
})

describe('a secret value that logs cannot mask', () => {
  const warnings = [
    {
      '@type': 'warning',
      message:
        'the value of A is too short or too common to be masked, so logs show it where a job prints it: ' +
        'choose a longer one if it is to stay secret',
      warning_type: 'unmasked_value',
      parameter: 'env_var.value',
    },
  ]
  const warningsOf = (answer: unknown) =>
    (answer as { '@warnings'?: unknown[] })['@warnings'] ?? 'none'

  test.each<[object, unknown]>([
    [{ value: 'abc' }, warnings],
    [{ value: "'true'" }, warnings],
    [{ value: 'abc', public: true }, 'none'],
    [{ value: 'abcd' }, 'none'],
    [{}, 'none'],
  ])('leads to a warning when %j is added: %j', async (members, expected) => {
    const [status, body] = await call('pusher', 'POST /repo/1/env_vars', { name: 'A', ...members })
    expect([status, warningsOf(body)]).toEqual([201, expected])
  })

  test.each<[object, object, unknown]>([
    [{ value: 'long enough' }, { value: '42' }, warnings],
    [{ value: '42', public: true }, { public: false }, warnings],
    [{ value: '42' }, { name: 'B' }, 'none'],
    [{ value: '42' }, { value: 'long enough' }, 'none'],
  ])('leads to a warning when %j is changed by %j', async (members, changes, expected) => {
    const id = await add({ name: 'A', ...members })
    const [status, body] = await call('pusher', `PATCH /repo/1/env_var/${id}`, changes)
    expect([status, warningsOf(body)]).toEqual([200, expected])
  })
})
