import { beforeAll, describe, expect, test } from 'vitest'
import { ServiceError, wrongParams } from '../../../src/domain/errors.ts'
import { get, patch, post } from '../../../src/http/core/endpoint.ts'
import { Refusal } from '../../../src/http/core/refusal.ts'
import { requiredText, settingFlag } from '../../../src/http/parameters/fields.ts'
import { emptyLists } from '../../../src/http/v2/empty-lists.ts'
import { v2 } from '../../../src/http/v2/mount.ts'
import { oneRepository, repositoryPaths } from '../../../src/http/v2/one-repository.ts'
import { refusals } from '../../../src/http/v2/refusals.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { smallApi } from './small-api.ts'

const { db } = await ownDatabase()
const make = factories(db)

describe('the refusals of V2.1', () => {
  test.each([
    [refusals.notFound(), 404, { file: 'not found' }],
    [
      refusals.notFoundText('Repository could not be found'),
      404,
      { error: 'Repository could not be found' },
    ],
    [
      refusals.notFoundObject("The job(7) couldn't be found"),
      404,
      { error: { message: "The job(7) couldn't be found" } },
    ],
    [refusals.restart(['a', 'b']), 400, { result: false, flash: [{ error: 'a' }, { error: 'b' }] }],
    [refusals.unauthorized('no'), 401, { error: { message: 'no' } }],
    [refusals.forbidden('no'), 403, { error: { message: 'no' } }],
    [refusals.forbiddenEmpty(), 403, {}],
    [refusals.conflict('late'), 409, { error: { message: 'late' } }],
    [refusals.conflictText('late'), 409, { message: 'late' }],
    [
      refusals.unprocessable('no', 'cant_cancel'),
      422,
      { error: { message: 'no', code: 'cant_cancel' } },
    ],
    [
      refusals.invalid([{ field: 'name', code: 'missing_field' }]),
      422,
      { message: 'Validation failed', errors: [{ field: 'name', code: 'missing_field' }] },
    ],
  ])('%j', (answer, status, body) => {
    expect(answer).toEqual({ answer: 'json', status, body })
  })
})

const noSettings = () => new ServiceError('unprocessable_entity', 'no settings')
const endpoints = [
  get(repositoryPaths('/branches'), {
    ...oneRepository,
    right: 'read',
    missing: emptyLists('branches', 'commits'),
    present: () => ({ branches: [1], commits: [] }),
  }),
  get(repositoryPaths('/caches'), {
    ...oneRepository,
    login: true,
    right: 'cache_view',
    refused: { status: 403, answer: refusals.forbiddenEmpty },
    present: () => ({ caches: [] }),
  }),
  post(repositoryPaths('/key'), {
    ...oneRepository,
    login: true,
    scope: 'settings',
    right: 'admin',
    refused: { status: 404, answer: refusals.notFound },
    present: () => ({ key: 'ssh-rsa' }),
  }),
  post(repositoryPaths('/cancel'), {
    ...oneRepository,
    scope: 'builds',
    right: 'build_cancel',
    refused: {
      status: 403,
      answer: (_call, { id }) => refusals.forbidden(`You don't have access to cancel build(${id})`),
    },
    async act() {
      throw new Refusal(noSettings(), refusals.unprocessable('too late', 'cant_cancel'))
    },
    present: () => null,
  }),
  post(repositoryPaths('/restart'), {
    ...oneRepository,
    right: 'read',
    async act() {
      throw new Refusal(wrongParams(), refusals.restart(['You do not seem …']))
    },
    present: () => null,
  }),
  patch(repositoryPaths('/env_vars'), {
    ...oneRepository,
    right: 'read',
    body: 'json',
    accepts: { 'env_var.name': requiredText(), 'env_var.public': settingFlag() },
    act: async (_call, _repository, values) => values,
    present: (values) => values,
  }),
]
const call = await smallApi(testContext(db), v2, endpoints)

const tokens: Record<string, string> = {}
beforeAll(async () => {
  const visible = await make.repository({ owner_name: 'acme', name: 'web' })
  const hidden = await make.repository({ owner_name: 'acme', name: 'safe', private: true })
  for (const role of ['pull', 'push', 'admin'] as const) {
    const user = await make.user(role)
    tokens[role] = user.token
    await make.permission(user, visible, role)
    await make.permission(user, hidden, role)
  }
  tokens.other = (await make.user('other')).token
})

const by = (who: string): Record<string, string> =>
  who === 'no one' ? {} : { authorization: `token ${tokens[who]}` }

const forbidden = { error: { message: "You don't have access to cancel build(1)" } }
const tooLate = { error: { message: 'too late', code: 'cant_cancel' } }
const missing = { file: 'not found' }

test.each<[string, string, number, unknown]>([
  ['GET /repos/1/caches', 'push', 200, { caches: [] }],
  ['GET /repos/1/caches', 'other', 403, {}],
  ['GET /repos/2/caches', 'other', 404, missing],
  ['GET /repos/acme/none/caches', 'other', 404, missing],
  ['POST /repos/1/key', 'admin', 200, { key: 'ssh-rsa' }],
  ['POST /repos/1/key', 'push', 404, missing],
  ['POST /repos/2/key', 'other', 404, missing],
  ['POST /repos/1/cancel', 'push', 422, tooLate],
  ['POST /repos/1/cancel', 'other', 403, forbidden],
  ['POST /repos/2/cancel', 'other', 404, missing],
  [
    'POST /repos/1/restart',
    'other',
    400,
    { result: false, flash: [{ error: 'You do not seem …' }] },
  ],
])('%s as %s is %d, with its own form of refusal', async (asked, who, status, body) => {
  const answer = await call(asked, by(who))
  expect([answer.statusCode, answer.json()]).toEqual([status, body])
  expect(answer.headers['content-type']).toBe(
    status === 200 ? 'application/json;charset=utf-8' : 'application/json',
  )
  expect(answer.headers['cache-control']).toBe(status === 200 ? 'no-cache' : 'no-store')
})

test.each(['GET /repos/1/caches', 'GET /repos/9/caches', 'POST /repos/2/key'])(
  '%s needs a login before anything is looked up',
  async (asked) => {
    const answer = await call(asked)
    expect([answer.statusCode, answer.body]).toEqual([401, 'no access token supplied'])
  },
)

describe('the lists of a hidden or unknown repository', () => {
  const empty = { branches: [], commits: [] }

  test.each([
    ['/repos/2/branches', 'other'],
    ['/repos/2/branches', 'no one'],
    ['/repos/9/branches', 'no one'],
    ['/repos/acme/none/branches', 'other'],
  ])('%s is empty for %s, and has the usual headers', async (path, who) => {
    const [answer, other] = [
      await call(`GET ${path}`, by(who)),
      await call('GET /repos/1/branches'),
    ]
    expect([answer.statusCode, answer.json()]).toEqual([200, empty])
    const { 'content-length': _one, date: _, ...headers } = answer.headers
    const { 'content-length': _two, date: __, ...others } = other.headers
    expect({ ...headers, 'x-oauth-scopes': '' }).toEqual({ ...others, 'x-oauth-scopes': '' })
    expect(headers).toMatchObject({
      'content-type': 'application/json;charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'Accept, Authorization, Service-API-Version',
    })
  })

  test('are 406 if JSON is not accepted', async () => {
    const answer = await call('GET /repos/2/branches', { accept: 'image/png' })
    expect([answer.statusCode, answer.body]).toEqual([406, ''])
  })

  test('need a login in V2', async () => {
    const accept = 'application/vnd.service.2+json'
    expect((await call('GET /repos/2/branches', { accept })).statusCode).toBe(401)
    expect((await call('GET /repos/2/branches', { accept, ...by('other') })).json()).toEqual(empty)
    expect((await call('GET /repos/1/branches', { accept })).statusCode).toBe(200)
  })
})

test('all invalid fields are reported together', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const refused = await call('PATCH /repos/1/env_vars', form, '{"env_var": {"public": "maybe"}}')
  expect([refused.statusCode, refused.json()]).toEqual([
    422,
    {
      message: 'Validation failed',
      errors: [
        { field: 'name', code: 'missing_field' },
        { field: 'public', code: 'invalid' },
      ],
    },
  ])
  const done = await call(
    'PATCH /repos/1/env_vars',
    form,
    '{"env_var": {"name": "A", "public": 1}}',
  )
  expect(done.json()).toEqual({ 'env_var.name': 'A', 'env_var.public': true })
})
