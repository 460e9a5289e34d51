import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { settingsOf } from '../../../src/store/repositories/settings.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const call = caller(await createServer(testContext(db)))

let headers: Record<string, string>

beforeAll(async () => {
  const make = factories(db)
  const user = await make.user()
  await make.permission(user, await make.repository(), 'push')
  headers = { 'service-api-version': '3', authorization: `token ${user.token}` }
})

const path = '/repo/1/setting/build_pushes'
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const isOn = async () => (await settingsOf(db, 1)).build_pushes

interface Template {
  uri_template: string
  accepted_params?: string[]
}

interface Entry {
  actions: Record<string, Template[]>
  attributes: string[]
  representations: Record<string, string[]>
  sortable_by?: string[]
}

describe('the home document', () => {
  let resources: Record<string, Entry>
  beforeAll(async () => {
    resources = (await call('GET /', headers)).json<{ resources: typeof resources }>().resources
  })
  const templateOf = (type: string, action: string) => resources[type]?.actions[action]?.at(-1)

  test('lists the dotted names of parameters in a body', () => {
    expect(templateOf('setting', 'update')).toEqual({
      '@type': 'template',
      request_method: 'PATCH',
      uri_template: '/repo/{repository.slug}/setting/{setting.name}',
      accepted_params: ['setting.value'],
    })
    expect(templateOf('lint', 'lint')?.accepted_params).toContain('lint.content')
  })

  test('lists the parameters of a query, except hidden ones and those that every list has', () => {
    const filters = ['active', 'active_on_org', 'managed_by_installation', 'private', 'starred']
    const names = [
      ...filters,
      ...filters.map((name) => `repository.${name}`),
      ...['include', 'limit', 'offset', 'sort_by'],
    ]
    expect(templateOf('repositories', 'for_current_user')?.uri_template).toBe(
      `/repos{?${names.toSorted().join(',')}}`,
    )
    expect(templateOf('settings', 'for_repository')?.uri_template).toBe(
      '/repo/{repository.slug}/settings{?include}',
    )
    expect(resources['repositories']?.sortable_by).toEqual([
      ...['id', 'codehost_id', 'vcs_id', 'owner_name', 'name', 'active'],
      'default_branch.last_build',
    ])
    expect(resources['repositories']).not.toHaveProperty('default_sort')
    expect(resources['settings']).not.toHaveProperty('sortable_by')
  })

  test('lists all representations', () => {
    expect(Object.keys(resources['repository']?.representations ?? {})).toEqual([
      'minimal',
      'standard',
      'list',
      'minimal_with_build',
    ])
  })
})

describe('a parameter of an action', () => {
  test.each<[string, Record<string, string>, string]>([
    ['by its dotted name', json, '{"setting.value": false}'],
    ['in a record of its type', json, '{"setting": {"value": false}}'],
    ['by its name', json, '{"value": false}'],
    ['by its name, with its type', json, '{"@type": "setting", "value": false}'],
    ['in a form', form, 'setting.value=false'],
    ['in a record of a form', form, 'setting[value]=false'],
  ])('is read %s', async (_how, type, body) => {
    await call(`PATCH ${path}?setting.value=true`, headers)
    const answer = await call(`PATCH ${path}`, { ...headers, ...type }, body)
    expect([answer.statusCode, answer.json<{ value: boolean }>().value]).toEqual([200, false])
    expect(warningsIn(answer.json())).toEqual([])
    expect(await isOn()).toBe(false)
  })

  test('belongs to another resource if `@type` names that resource', async () => {
    const body = '{"@type": "repository", "value": true}'
    await call(`PATCH ${path}`, { ...headers, ...json }, body)
    expect(await isOn()).toBe(false)
  })
})

/** The parameters that a response warns of. */
function warningsIn(body: { '@warnings'?: { parameter?: string }[] }) {
  return (body['@warnings'] ?? []).map(({ parameter }) => parameter)
}

describe('a warning', () => {
  test('of an action comes after deprecated parameters and before ignored ones', async () => {
    const query = 'foo=1&include=repository.current_build'
    const answer = await call(
      `POST /repo/1/activate?${query}`,
      { ...headers, ...json },
      '{"other": 1}',
    )
    expect(answer.json()).toMatchObject({
      '@warnings': [
        { warning_type: 'deprecated_parameter' },
        { warning_type: 'missing_installation' },
        { warning_type: 'ignored_parameter', parameter: 'foo' },
        { warning_type: 'ignored_parameter', parameter: 'other' },
      ],
      '@type': 'repository',
    })
  })

  test('is the first member of every kind of JSON', async () => {
    const ignored = {
      '@type': 'warning',
      message: 'parameter foo is not accepted here, ignored',
      warning_type: 'ignored_parameter',
      parameter: 'foo',
    }
    const lint = await call('POST /lint?foo=1', headers, 'script: x')
    expect(lint.json()).toEqual({ '@warnings': [ignored], '@type': 'lint', warnings: [] })
    expect(lint.body).toMatch(/^\{\s*"@warnings"/)
    const home = await call('GET /?foo=1', headers)
    expect(home.json()).toMatchObject({ '@warnings': [ignored], '@type': 'home' })
  })

  test('is the same for parameters in the body as for those in the query', async () => {
    const body = JSON.stringify({ content: 'script: x', foo: 1 })
    const answer = await call('POST /lint', { ...headers, ...json }, body)
    expect(warningsIn(answer.json())).toEqual(['foo'])
  })
})

describe('an include that cannot be shown', () => {
  beforeEach(() => call(`PATCH ${path}?setting.value=true`, headers))

  test.each<[string, string]>([
    ['include=setting.colour', '"setting.colour" cannot be included'],
    ['include=setting', '"setting" is not of the form type.attribute'],
  ])('is refused before the record is changed: %s', async (query, error_message) => {
    const inQuery = await call(`PATCH ${path}?setting.value=false&${query}`, headers)
    expect([inQuery.statusCode, inQuery.json()]).toEqual([
      400,
      { '@type': 'error', error_type: 'wrong_params', error_message },
    ])
    const body = JSON.stringify({ 'setting.value': false, include: query.replace('include=', '') })
    const inBody = await call(`PATCH ${path}`, { ...headers, ...json }, body)
    expect(inBody.statusCode).toBe(400)
    expect(await isOn()).toBe(true)
  })

  test('is reported after missing access and missing records', async () => {
    const anyone = { 'service-api-version': '3' }
    const query = 'include=setting.colour'
    expect((await call(`PATCH ${path}?${query}`, anyone)).statusCode).toBe(403)
    expect((await call(`PATCH /repo/1/setting/none?${query}`, headers)).statusCode).toBe(404)
  })

  test('is ignored for a type that does not occur', async () => {
    const query = 'setting.value=false&include=repository.colour'
    expect((await call(`PATCH ${path}?${query}`, headers)).statusCode).toBe(200)
    expect(await isOn()).toBe(false)
  })
})

test('an invalid include is reported as the caller wrote it', async () => {
  const answer = await call('GET /repo/1?include=owner.colour', headers)
  expect(answer.json()).toMatchObject({ error_message: '"owner.colour" cannot be included' })
})

test('many names can be included', async () => {
  const names = Array.from({ length: 2000 }, () => 'repository.owner').join(',')
  expect((await call(`GET /repo/1?include=${names}`, headers)).statusCode).toBe(200)
  const repeated = Array.from({ length: 1500 }, () => 'include[]=repository.owner').join('&')
  const answer = await call(`GET /repo/1?${repeated}&include[]=repository.colour`, headers)
  expect(answer.json()).toMatchObject({ error_message: '"repository.colour" cannot be included' })
})

test('an included attribute without a source is null or empty', async () => {
  const include = 'repository.owner,user.emails,user.installation'
  expect((await call(`GET /repo/1?include=${include}`, headers)).json()).toMatchObject({
    owner: { emails: [], installation: null },
  })
})
