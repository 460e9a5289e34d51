import { beforeEach, describe, expect, test } from 'vitest'
import { acceptRequest } from '../../../src/flow/requests/accept-request.ts'
import { createServer } from '../../../src/http/server.ts'
import { age } from '../../support/age.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../../support/memory-codehost.ts'
import { preparedJob } from '../../support/prepared-job.ts'
import { audited } from '../v2/roles.ts'
import { callerOf, forms, refusals, rowCounts, webToPushers } from './roles.ts'

const db = await testDatabase()
const codehosts: { codehost?: MemoryCodehost } = {}
const make = factories(db)
const ctx = testContext(db, codehosts)
const server = await createServer(ctx)

const tip = 'a'.repeat(40)
const other = 'b'.repeat(40)

let call: Awaited<ReturnType<typeof callerOf>>
let codehost: MemoryCodehost
beforeEach(async () => {
  call = await callerOf(server, db)
  codehost = memoryCodehost()
  codehosts.codehost = codehost
  ctx.enqueued.length = 0
  codehost.commits.set('refs/heads/main', commitOf(tip, 'Say hello [skip ci]', [other]))
  codehost.commits.set('refs/heads/next', commitOf(other, 'Say more'))
  codehost.commits.set('refs/tags/v1', commitOf(other, 'Release'))
  codehost.commits.set(tip, commitOf(tip, 'Say hello', [other]))
  codehost.commits.set(other, commitOf(other, 'Say more'))
  codehost.files.set(tip, 'script: make\nenv: A=1\n')
})

/** The id is the code host's. */
const at = { id: 102, vcs_type: 'CodehostRepository', owner_name: 'acme' }

const pending = (request: object, remaining_requests = 10) => [
  202,
  {
    '@type': 'pending',
    remaining_requests,
    repository: webToPushers,
    request: {
      repository: { ...at, name: 'web' },
      user: { id: expect.any(Number) },
      id: 1,
      ...request,
    },
    resource_type: 'request',
  },
]

const create = (body?: object) => call('pusher', 'POST /repo/1/requests', body)

/** Requests a build and decides on it; returns the request and its build. */
async function build(body: object = {}) {
  const [status, answer] = await create(body)
  expect([status, answer]).toMatchObject([202, {}])
  const { id } = (answer as { request: { id: number } }).request
  expect(ctx.enqueued).toContainEqual({ name: 'request.accept', payload: { request_id: id } })
  await acceptRequest(ctx, id)
  const request = await db
    .selectFrom('requests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const built = await db
    .selectFrom('builds')
    .innerJoin('commits', 'commits.id', 'builds.commit_id')
    .select(['builds.event_type', 'builds.config', 'builds.state', 'builds.config_error'])
    .select(['commits.sha', 'commits.branch', 'commits.tag_name', 'commits.message', 'commits.ref'])
    .where('request_id', '=', id)
    .executeTakeFirst()
  return { request, built }
}

describe('requests: create', () => {
  test.each([
    ['nothing', undefined],
    ['an empty body', {}],
    ['members that have no effect', { id: 7, user: { id: 9 }, repository: { id: 9 } }],
  ])('shows the request when given %s', async (_what, body) => {
    const [status, answer] = await create(body)
    const { '@warnings': _warnings, ...others } = answer as Record<string, unknown>
    expect([status, others]).toEqual(pending({ branch: 'main' }))
  })

  test.each(forms)('is found at %s', async (form) => {
    expect(await call('pusher', `POST ${form}/requests`)).toEqual(pending({ branch: 'main' }))
  })

  test.each([
    ['dotted', { 'request.branch': 'next', 'request.message': 'hello' }],
    ['nested', { request: { branch: 'next', message: 'hello' } }],
    ['plain', { branch: 'next', message: 'hello' }],
    ['plain, with its type', { '@type': 'request', branch: 'next', message: 'hello' }],
  ])('takes %s parameters', async (_form, body) => {
    expect(await create(body)).toEqual(pending({ branch: 'next', message: 'hello' }))
    expect(await audited(db)).toMatchObject([
      {
        actor: 'pusher',
        action: 'create_request',
        subject: 'repository 1',
        changed: { request_id: 1, ref: 'refs/heads/next', sha: null, configs: 0 },
      },
    ])
  })

  test('returns configurations as texts', async () => {
    const config = '{"script":"true"}'
    const body = { config: { script: 'true' }, merge_mode: 'replace', sha: other.toUpperCase() }
    expect(await create({ request: body })).toEqual(
      pending({
        branch: 'main',
        sha: other,
        merge_mode: 'replace',
        configs: [{ config, mode: 'replace' }],
        config,
      }),
    )
    const configs = [{ config: 'script: a', merge_mode: 'merge' }, { config: { script: 'b' } }]
    expect(await create({ configs, tag_name: 'v1' })).toEqual(
      pending(
        {
          id: 2,
          tag_name: 'v1',
          configs: [{ config: 'script: a', mode: 'merge' }, { config: '{"script":"b"}' }],
        },
        9,
      ),
    )
  })

  test('returns the default mode for configurations without a mode', async () => {
    const configs = [{ config: 'script: a' }, { config: 'script: b', mode: 'merge' }]
    expect(await create({ configs, merge_mode: 'replace' })).toEqual(
      pending({
        branch: 'main',
        merge_mode: 'replace',
        configs: [
          { config: 'script: a', mode: 'replace' },
          { config: 'script: b', mode: 'merge' },
        ],
      }),
    )
  })

  test('builds the tip of the branch, even if its commit message skips builds', async () => {
    const { request, built } = await build()
    expect(request).toMatchObject({
      event_type: 'api',
      state: 'finished',
      result: 'accepted',
      sender_login: 'pusher',
      ref: 'refs/heads/main',
    })
    expect(built).toMatchObject({
      event_type: 'api',
      state: 'created',
      config: { script: ['make'] },
      sha: tip,
      branch: 'main',
      message: 'Say hello [skip ci]',
      ref: 'refs/heads/main',
    })
    const branch = await db.selectFrom('branches').selectAll().executeTakeFirstOrThrow()
    expect(branch).toMatchObject({ name: 'main', last_build_id: 1 })
  })

  test('builds the given commit with the given message', async () => {
    codehost.files.set(other, 'script: other')
    const { built } = await build({ sha: other, message: 'By hand' })
    expect(built).toMatchObject({ sha: other, branch: 'main', message: 'By hand' })
    expect(await create({ tag_name: 'v1', branch: 'next' })).toMatchObject([
      202,
      { '@warnings': [{ warning_type: 'ignored_parameter', parameter: 'request.branch' }] },
    ])
    const { built: tagged } = await build({ tag_name: 'v1' })
    expect(tagged).toMatchObject({ sha: other, tag_name: 'v1', branch: 'v1', ref: 'refs/tags/v1' })
  })

  test('is rejected for a commit of a fork, even though the code host finds it', async () => {
    const ofFork = 'f'.repeat(40)
    codehost.commits.set(ofFork, commitOf(ofFork, 'Print all secrets', [tip]))
    codehost.files.set(ofFork, 'script: env')
    const { request, built } = await build({ sha: ofFork })
    expect(built).toBeUndefined()
    expect(request).toMatchObject({ reason: 'commit_not_on_ref', commit_id: null })
    expect(request.checks).toContainEqual(
      expect.objectContaining({
        rule: 'commit_on_ref',
        passed: false,
        values: { sha: ofFork, ref: 'refs/heads/main' },
      }),
    )
    expect(request.message).toMatch(/^commit f{40} is not on refs\/heads\/main: /)
  })

  test.each([
    [{ branch: 'gone' }, 'has no branch "gone", so name one that it has'],
    [{ tag_name: 'v9' }, 'has no tag "v9", so name one that it has'],
    [{ sha: 'f'.repeat(40) }, `has no commit ${'f'.repeat(40)}, so push it first`],
  ])('is rejected if there is no such commit: %j', async (body, why) => {
    const { request, built } = await build(body)
    expect(built).toBeUndefined()
    const message = `no commit found: acme/web ${why}`
    const path = `/repo/1/request/${request.id}`
    expect(await call('reader', `GET ${path}`)).toMatchObject([
      200,
      { result: 'rejected', message, event_type: 'api', builds: [] },
    ])
    const { ref, after_sha: sha } = request
    expect(await call('reader', `GET ${path}/explain`)).toMatchObject([
      200,
      {
        checks: expect.arrayContaining([
          expect.objectContaining({ values: { ref, sha } }),
        ]) as object,
      },
    ])
  })

  test.each([
    ['deep_merge_append', { script: ['make', 'test'], env: [{ A: '1' }], language: 'go' }],
    ['deep_merge_prepend', { script: ['test', 'make'], env: [{ A: '1' }], language: 'go' }],
    ['deep_merge', { script: ['test'], env: [{ A: '1' }], language: 'go' }],
    ['merge', { script: ['test'], env: [{ A: '1' }], language: 'go' }],
    ['replace', { script: ['test'], language: 'go' }],
  ])('merges a configuration by %s', async (merge_mode, expected) => {
    codehost.files.set(tip, 'script: [make]\nenv: A=1\nlanguage: ruby\n')
    const config = { script: ['test'], language: 'go' }
    const { request, built } = await build({ merge_mode, config })
    expect(built?.config).toMatchObject({ script: expected.script, language: 'go' })
    expect('env' in (built?.config ?? {})).toBe('env' in expected)
    const [, shown] = await call('reader', `GET /repo/1/request/${request.id}`)
    const { raw_configs } = shown as { raw_configs: { source: string }[] }
    expect(raw_configs.map(({ source }) => source)).toEqual(
      merge_mode === 'replace' ? ['api'] : ['api', `acme/web:.service.yml@${tip}`],
    )
  })

  test('merges several configurations, of which the first wins', async () => {
    const configs = [
      { config: 'script: first', mode: 'merge' },
      { config: 'script: second\nlanguage: go', mode: 'replace' },
    ]
    const { request, built } = await build({ configs })
    expect(built?.config).toMatchObject({ script: ['first'], language: 'go' })
    expect(built?.config).not.toHaveProperty('env')
    const [, shown] = await call('reader', `GET /repo/1/request/${request.id}`)
    expect(shown).toMatchObject({ raw_configs: [{ source: 'api' }, { source: 'api.1' }] })
  })

  test.each([
    ['env: A=1', {}, { jobs: [{ A: '1' }] }, []],
    ['env: {global: {A: 1, B: 2}}', {}, {}, [{ A: '1', B: '2' }]],
    ['env: {jobs: [C=3, C=4]}', {}, { jobs: [{ C: '3' }, { C: '4' }] }, []],
    ['env: A=1', { config: { script: 'x' }, merge_mode: 'replace' }, {}, []],
  ])('adds variables to a file with %s, in a request with %j', async (file, body, others, own) => {
    codehost.files.set(tip, `script: make\n${file}\n`)
    const variables = { A: 'a b', N: 1, YES: true, S: { secure: 'abc' } }
    const { built } = await build({ ...body, variables })
    const added = { A: 'a b', N: '1', YES: 'true', S: { secure: 'abc' } }
    expect(built?.config).toMatchObject({ env: { global: [...own, added], ...others } })
  })

  test('also adds variables if no build file is needed', async () => {
    codehost.files.clear()
    await call('pusher', 'PATCH /repo/1/setting/builds_only_with_service_yml', { value: false })
    const { built } = await build({ variables: { A: 'a b' } })
    expect(built?.config).toMatchObject({ env: { global: [{ A: 'a b' }] } })
  })

  test('shows variables like those of a build file, and hides encrypted variables', async () => {
    const variables = { A: 'a b', S: { secure: 'abc' } }
    const { request } = await build({ variables })
    const [, shown] = await call('reader', `GET /repo/1/request/${request.id}`)
    expect(shown).toMatchObject({
      config: { global_env: 'A=a b S=[secure]' },
      raw_configs: [{ source: `acme/web:.service.yml@${tip}` }],
    })
    expect(JSON.stringify(shown)).not.toContain('abc')
  })

  test('returns variables', async () => {
    const variables = { A: 'a b', S: { secure: 'abc' } }
    expect(await create({ 'request.variables': variables })).toMatchObject(
      pending({ branch: 'main', variables }),
    )
  })

  test('uses the merge mode in a configuration’s own text', async () => {
    const { built } = await build({ config: 'merge_mode: replace\nscript: own' })
    expect(built?.config).toMatchObject({ script: ['own'] })
    expect(built?.config).not.toHaveProperty('env')
    expect(built?.config).not.toHaveProperty('merge_mode')
  })

  test('says in the log of its job that there was no build file, unless it brought one', async () => {
    codehost.files.clear()
    await call('pusher', 'PATCH /repo/1/setting/builds_only_with_service_yml', { value: false })
    await build()
    await build({ config: 'script: own' })
    const note = 'No .service.yml was found in this commit: the job runs with defaults.'
    expect((await preparedJob(ctx, 1)).clone).toContain(note)
    expect((await preparedJob(ctx, 2)).clone).not.toContain(note)
  })

  test('needs no build file if it has a configuration', async () => {
    codehost.files.delete(tip)
    const { request, built } = await build({ config: 'script: own' })
    expect(built?.config).toMatchObject({ script: ['own'] })
    expect(request.checks.map(({ rule }) => rule)).not.toContain('build_file')
    const { request: without } = await build()
    expect(without).toMatchObject({ result: 'rejected', reason: 'no_build_file' })
  })

  test('shows the errors of its configuration like those of a build file', async () => {
    const { request, built } = await build({ config: 'script: [' })
    expect(built).toMatchObject({ state: 'errored', config_error: 'parse' })
    const [, shown] = await call('reader', `GET /repo/1/request/${request.id}`)
    expect(shown).toMatchObject({ messages: [{ level: 'error', src: 'api', line: 1 }] })
    const { request: next } = await build({ config: 'scrypt: make' })
    const [, found] = await call('reader', `GET /repo/1/request/${next.id}/messages`)
    expect(found).toMatchObject({
      messages: expect.arrayContaining([
        expect.objectContaining({ code: 'find_key', src: 'api', line: 1 }),
      ]) as unknown,
    })
  })

  test.each([
    [{ merge_mode: 'sideways' }, 'merge_mode must be one of deep_merge_append'],
    [{ sha: 'abc' }, 'sha must be the full hash of a commit'],
    [{ branch: ['main'] }, 'branch must be a text'],
    [{ message: 'x'.repeat(10_001) }, 'message must be a text of at most 10000'],
    [{ config: 7 }, 'config must be a configuration'],
    [{ config: ['script'] }, 'config must be a configuration'],
    [{ configs: 'script: x' }, 'configs must be a list of at most'],
    [{ configs: [{ config: 'x', mode: 'sideways' }] }, 'configs must be a list of at most'],
    [{ configs: [{}, 'x'] }, 'configs must be a list of at most'],
    [{ configs: Array.from({ length: 30 }, () => ({ config: 'x' })) }, 'configs must be'],
    [{ variables: { 'a-b': '1' } }, 'variables must be an object of at most'],
    [{ variables: { secure: '1' } }, 'variables must be an object of at most'],
    [{ variables: { A: null } }, 'variables must be an object of at most'],
    [{ variables: { A: { secure: 'x', more: 1 } } }, 'variables must be an object of at most'],
    [{ variables: ['A=1'] }, 'variables must be an object of at most'],
    [{ tag_name: 'a\u0000b' }, 'tag_name must be a text'],
  ])('refuses %j', async (body, message) => {
    expect(await create(body)).toEqual([
      400,
      {
        '@type': 'error',
        error_type: 'wrong_params',
        error_message: expect.stringContaining(message) as string,
      },
    ])
    expect(await rowCounts(db)).toMatchObject({ requests: 0, audit_records: 0 })
  })

  test('reports in its headers how many more requests can be made', async () => {
    const user = await make.user('counting')
    await make.permission(user, { id: 1 }, 'push')
    const headers = { 'service-api-version': '3', authorization: `token ${await make.token(user)}` }
    const answers = []
    for (let count = 0; count < 11; count += 1) {
      answers.push(await server.inject({ method: 'POST', url: '/repo/1/requests', headers }))
    }
    const quotas = answers.map(({ statusCode, headers }) => [
      ...[statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining']],
      ...[Number(headers['ratelimit-reset']) > 3500, Number(headers['retry-after'] ?? 0) > 3500],
    ])
    expect(quotas[0]).toEqual([202, '10', '9', true, false])
    expect(quotas[9]).toEqual([202, '10', '0', true, false])
    expect(quotas[10]).toEqual([429, '10', '0', true, true])
  })

  test('reports when the next request can be made, also after the limit was lowered', async () => {
    const user = await make.user('lowering')
    await make.permission(user, { id: 1 }, 'admin')
    const headers = {
      'service-api-version': '3',
      authorization: `token ${await make.token(user)}`,
      'content-type': 'application/json',
    }
    const send = async (method: 'POST' | 'PATCH', url: string, body: object = {}) =>
      server.inject({ method, url, headers, payload: JSON.stringify(body) })
    for (let count = 0; count < 3; count += 1) {
      await send('POST', '/repo/1/requests')
      await age(db, 600)
    }
    const setting = '/repo/1/setting/api_builds_rate_limit'
    const wait = async (limit: number) => {
      await send('PATCH', setting, { 'setting.value': limit })
      const { statusCode, headers: sent } = await send('POST', '/repo/1/requests')
      return [statusCode, sent['retry-after']]
    }
    expect(await wait(3)).toEqual([429, '1800'])
    expect(await wait(1)).toEqual([429, '3000'])
  })

  test('is refused after ten requests within an hour', async () => {
    for (let left = 10; left > 0; left -= 1) {
      expect(await create()).toMatchObject([202, { remaining_requests: left }])
    }
    const before = await rowCounts(db)
    const limited = [
      429,
      {
        '@type': 'error',
        error_type: 'request_limit_reached',
        error_message: expect.any(String) as string,
        repository: webToPushers,
        max_requests: 10,
        per_seconds: 3600,
      },
    ]
    expect(await create()).toEqual(limited)
    expect(await rowCounts(db)).toEqual(before)
    expect(await call('pusher', 'POST /repo/2/requests')).toMatchObject([
      202,
      { remaining_requests: 10 },
    ])
    await age(db, 3601)
    expect(await create()).toMatchObject([202, { remaining_requests: 10 }])
  })

  test('is refused by the limit in the settings, if there is one', async () => {
    const limit = (value: number | null) =>
      call('pusher', 'PATCH /repo/1/setting/api_builds_rate_limit', { value })
    await limit(1)
    expect(await create()).toMatchObject([202, { remaining_requests: 1 }])
    expect(await create()).toMatchObject([429, { max_requests: 1 }])
    await limit(null)
    expect(await create()).toMatchObject([202, { remaining_requests: 9 }])
  })

  test('counts requests that come at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => create()))
    expect(answers.filter(([status]) => status === 202)).toHaveLength(10)
    expect(await rowCounts(db)).toMatchObject({ requests: 10 })
  })

  test('is refused while the repository is inactive', async () => {
    await db.updateTable('repositories').set({ active: false }).execute()
    expect(await create()).toEqual([
      406,
      {
        '@type': 'error',
        error_type: 'repository_inactive',
        error_message: 'repository is inactive, no requests can be created',
        repository: webToPushers,
      },
    ])
    expect(await rowCounts(db)).toMatchObject({ requests: 0, audit_records: 0 })
  })

  test.each(refusals)('is refused to %s', async (who, ...answers) => {
    const paths = [1, 2, 9].map((id) => `POST /repo/${id}/requests`)
    expect(await Promise.all(paths.map((path) => call(who, path)))).toEqual(answers)
    expect(await rowCounts(db)).toMatchObject({ requests: 0, audit_records: 0 })
  })
})
