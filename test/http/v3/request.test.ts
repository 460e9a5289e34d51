import { beforeAll, describe, expect, test } from 'vitest'
import type { Build } from '../../../src/domain/build.ts'
import { createServer } from '../../../src/http/server.ts'
import { storeRawConfigs } from '../../../src/store/requests/raw-configs.ts'
import { insertMessages } from '../../../src/store/requests/request-messages.ts'
import { json } from '../../../src/store/tables.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { watchStatements } from '../../support/statements.ts'
import { badIds } from '../v2/roles.ts'
import { noWrites } from './build-scene.ts'
import { callerOf, forms, missing, refused, webToReaders, wrongToken } from './roles.ts'

const { db } = await ownDatabase()
const make = factories(db)
const server = await createServer(testContext(db))
let call: Awaited<ReturnType<typeof callerOf>>

const text = 'env: {secure: "abc"}\ngit: {depht: 3}\n'
let build: Build

// Of repository 1: request 1, accepted, with all that belongs to one; 2 was made while it was private;
// 3 is rejected; 4 is of a tag. Request 5 is of repository 2.
beforeAll(async () => {
  call = await callerOf(server, db)
  const [web, safe] = await db.selectFrom('repositories').selectAll().orderBy('id').execute()
  if (!web || !safe) throw new Error('there are no repositories')
  const commit = await make.commit(web, { branch: 'next', sha: 'c'.repeat(40) })
  build = await make.build({ repository: web, commit_id: commit.id })
  await db
    .updateTable('requests')
    .set({
      commit_id: commit.id,
      message: null,
      mergeable_state: 'clean',
      base_commit: 'a'.repeat(40),
      head_commit: 'b'.repeat(40),
      config: json({ env: [{ A: 'b' }, { secure: 'abc' }], source_key: 'x' }),
    })
    .execute()
  const finding = { key: ['git'], args: { key: 'depht' }, src: '.service.yml', column: 1 }
  await insertMessages(db, 1, [
    { ...finding, level: 'info', code: 'default', text: 'a default', line: null },
    { ...finding, level: 'warn', code: 'unknown_key', text: 'unknown key', line: 2 },
  ])
  const source = `acme/web:.service.yml@${commit.sha}`
  await storeRawConfigs(db, { id: 1, repository_id: 1 }, [
    { source: 'api', sha: null, text: 'script: make', merge_mode: 'merge' },
    { source, sha: commit.sha, text, merge_mode: null },
  ])
  await make.request({
    repository: web,
    private: true,
    event_type: 'api',
    state: 'pending',
    result: null,
    finished_at: null,
  })
  await make.request({ repository: web, result: 'rejected', message: 'pushes are disabled' })
  const tag = await make.commit(web, { branch: 'v1', tag_name: 'v1', ref: 'refs/tags/v1' })
  await make.request({ repository: web, commit_id: tag.id })
  await db
    .updateTable('requests')
    .set({ created_at: new Date('2026-02-01T00:00:00Z') })
    .where('id', '=', 4)
    .execute()
  await make.request({ repository: safe })
})

const readable = { '@permissions': { read: true, write: false } }
const minimal = { '@representation': 'minimal', ...readable }

const first = () => ({
  '@type': 'request',
  '@href': '/repo/1/request/1',
  '@representation': 'standard',
  ...readable,
  id: 1,
  state: 'finished',
  result: 'approved',
  message: null,
  pull_request_mergeable: 'clean',
  repository: webToReaders,
  branch_name: 'next',
  commit: {
    '@type': 'commit',
    ...minimal,
    id: 1,
    sha: 'c'.repeat(40),
    ref: 'refs/heads/main',
    message: 'Say hello',
    compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
    committed_at: '2026-01-02T12:00:00Z',
  },
  builds: [
    {
      '@type': 'build',
      '@href': `/build/${build.id}`,
      '@representation': 'minimal',
      '@permissions': noWrites,
      id: build.id,
      number: '1',
      state: 'created',
      duration: null,
      event_type: 'push',
      previous_state: null,
      pull_request_title: null,
      pull_request_number: null,
      started_at: null,
      finished_at: null,
      private: false,
      priority: false,
    },
  ],
  owner: {
    '@type': 'user',
    '@href': '/user/1',
    '@representation': 'minimal',
    '@permissions': { read: true, write: false, sync: false },
    id: 1,
    login: 'acme',
    name: null,
    vcs_type: 'CodehostUser',
    ro_mode: false,
  },
  created_at: '2026-01-02T12:00:00Z',
  event_type: 'push',
  base_commit: 'a'.repeat(40),
  head_commit: 'b'.repeat(40),
  messages: [found, byDefault],
  config: { env: 'A=b [secure]' },
  raw_configs: [
    raw('api', 'script: make', 'merge'),
    raw(`acme/web:.service.yml@${'c'.repeat(40)}`, text, null),
  ],
})
const message = { '@type': 'message', ...minimal, key: 'git', args: { key: 'depht' } }
const found = {
  ...message,
  id: 2,
  level: 'warn',
  code: 'unknown_key',
  src: '.service.yml',
  line: 2,
}
const byDefault = {
  ...message,
  id: 1,
  level: 'info',
  code: 'default',
  src: '.service.yml',
  line: null,
}
const raw = (source: string, config: string, merge_mode: string | null) => ({
  '@type': 'request_raw_configuration',
  ...minimal,
  config,
  source,
  merge_mode,
})

describe('a request', () => {
  test.each(forms)('is found at %s', async (form) => {
    const [status, body] = await call('reader', `GET ${form}/request/1`)
    expect([status, body]).toEqual([200, first()])
    expect(Object.keys(body as object)).toEqual(Object.keys(first()))
  })

  test('shows null and empty lists if it was just created', async () => {
    expect(await call('reader', 'GET /repo/1/request/2')).toEqual([
      200,
      {
        ...first(),
        '@href': '/repo/1/request/2',
        id: 2,
        state: 'pending',
        result: null,
        pull_request_mergeable: null,
        branch_name: null,
        commit: null,
        builds: [],
        event_type: 'api',
        base_commit: null,
        head_commit: null,
        messages: [],
        config: {},
        raw_configs: [],
      },
    ])
  })

  test('says why it was rejected', async () => {
    expect(await call('reader', 'GET /repo/1/request/3')).toMatchObject([
      200,
      { result: 'rejected', message: 'pushes are disabled' },
    ])
  })

  test('can include a deprecated attribute, with a warning', async () => {
    const [status, body] = await call('reader', 'GET /repo/1/request/1?include=request.yaml_config')
    expect([status, body]).toMatchObject([
      200,
      {
        '@warnings': [{ warning_type: 'deprecated_parameter', parameter: 'request.yaml_config' }],
        yaml_config: 'script: make',
      },
    ])
  })

  test('includes records in full', async () => {
    const include = 'request.repository,request.builds,build.repository'
    expect(await call('reader', `GET /repo/1/request/1?include=${include}`)).toMatchObject([
      200,
      {
        repository: { '@representation': 'standard', active: true },
        builds: [{ '@representation': 'standard' }],
      },
    ])
    expect(await call('reader', 'GET /repo/1/request/1?include=request.colour')).toEqual(
      refused('wrong_params', 400, '"request.colour" cannot be included'),
    )
  })

  test('leaves out a build made in private', async () => {
    const repository = await make.repository({ name: 'open', codehost_id: 900 })
    const { id, request_id } = await make.build({ repository, private: true })
    const asked = `GET /repo/${repository.id}/request/${request_id}`
    for (const who of ['other', 'no one'] as const) {
      expect(await call(who, asked)).toMatchObject([200, { id: request_id, builds: [] }])
    }
    const reader = await db
      .selectFrom('users')
      .selectAll()
      .where('login', '=', 'reader')
      .executeTakeFirstOrThrow()
    await make.permission(reader, repository)
    expect(await call('reader', asked)).toMatchObject([200, { builds: [{ id, private: true }] }])
  })

  test('of another repository is missing', async () => {
    expect(await call('reader', 'GET /repo/2/request/1')).toEqual(missing('request'))
    expect(await call('reader', 'GET /repo/1/request/5')).toEqual(missing('request'))
    expect(await call('reader', 'GET /repo/9/request/1')).toEqual(missing('repository'))
  })

  test.each([...badIds, '99'])('is not found by the id %s', async (id) => {
    const [status, body] = await call('reader', `GET /repo/1/request/${id}`)
    // At any other word there can be a preview, but nothing to read.
    expect([status, body]).toMatchObject(
      /^\d+$/.test(id)
        ? [404, { resource_type: 'request' }]
        : [405, { error_type: 'method_not_allowed' }],
    )
  })

  test('that was created in private is hidden as if it were missing', async () => {
    for (const who of ['other', 'no one'] as const) {
      for (const path of ['GET /repo/1/request/2', 'GET /repo/1/request/2/messages']) {
        expect(await call(who, path)).toEqual(missing('request'))
        expect(await call(who, path.replace('/2', '/99'))).toEqual(missing('request'))
      }
      expect(await call(who, 'GET /repo/2/request/5')).toEqual(missing('repository'))
    }
    expect(await call('reader', 'GET /repo/1/request/2')).toMatchObject([200, { id: 2 }])
    expect(await call('wrong', 'GET /repo/1/request/1')).toEqual(wrongToken)
  })
})

async function ids(query: string, who: 'reader' | 'no one' = 'reader'): Promise<number[]> {
  const [status, body] = await call(who, `GET /repo/1/requests${query}`)
  expect(status).toBe(200)
  return (body as { requests: { id: number }[] }).requests.map(({ id }) => id)
}

describe('the requests of a repository', () => {
  test.each(forms)('are listed at %s, the newest first', async (form) => {
    const [status, body] = await call('other', `GET ${form}/requests`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      '@type': 'requests',
      '@href': `${form}/requests`,
      '@representation': 'standard',
      '@pagination': { limit: 25, count: 3 },
      requests: [
        { id: 4, branch_name: 'v1' },
        { id: 3, result: 'rejected', message: 'pushes are disabled', commit: null, builds: [] },
        first(),
      ],
    })
  })

  test('that were created in private are left out, and not counted', async () => {
    expect(await ids('')).toEqual([4, 3, 2, 1])
    expect(await ids('', 'no one')).toEqual([4, 3, 1])
  })

  test.each([
    ['?branch=next', [1]],
    ['?request.branch=next,v1', [4, 1]],
    ['?requests.branch=v1', [4]],
    ['?branch=none', []],
    ['?branch=%00', []],
    ['?result=approved', [4, 1]],
    ['?result=accepted', [4, 1]],
    ['?result=approved,rejected', [4, 3, 1]],
    ['?result=colour', []],
    ['?state=pending', [2]],
    ['?state=pending,finished&result=rejected', [3]],
    ['?from=2026-01-15', [4]],
    ['?to=2026-01-15T00:00:00Z', [3, 2, 1]],
    ['?from=2026-01-02T12:00:00Z&to=2026-01-02T12:00:00Z', [3, 2, 1]],
    ['?limit=2&offset=1', [3, 2]],
    ['?offset=9', []],
  ])('can be selected by %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test('are filtered by their displayed times', async () => {
    await db
      .updateTable('requests')
      .set({ created_at: new Date('2026-01-02T13:00:00.500Z') })
      .where('id', '=', 2)
      .execute()
    const between = (from: string, to: string) =>
      ids(`?from=2026-01-02T${from}Z&to=2026-01-02T${to}Z`)
    expect(await between('13:00:00', '13:00:00')).toEqual([2])
    expect(await between('13:00:01', '13:00:01')).toEqual([])
    expect(await between('12:59:59', '12:59:59')).toEqual([])
  })

  test.each(['from=yesterday', 'to=2026-02-31x', 'from=2026-01-01,2026-01-02'])(
    'are refused with ?%s',
    async (query) => {
      const [name] = query.split('=')
      expect(await call('reader', `GET /repo/1/requests?${query}`)).toEqual(
        refused('wrong_params', 400, `${name} must be a time like 2026-01-02T12:00:00Z`),
      )
    },
  )

  test('take the same statements whatever their number', async () => {
    const statements = watchStatements()
    await ids('?limit=1')
    const one = statements.length
    await ids('?limit=4')
    expect(statements.length - one).toBe(one)
  })
})
