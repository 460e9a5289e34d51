import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { testContext, testSealer } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { withRoutes } from '../support/routes.ts'
import { caller } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { server, routes } = await withRoutes(() => createServer(testContext(db)))
const call = caller(server)

const tokens: Record<string, string> = {}

// Repository, request, build and job 1 are public, 2 private. With 3 only the repository is public,
// with 4 only what it made. There is no 5.
beforeAll(async () => {
  const member = await make.user('member')
  const other = await make.user('other')
  Object.assign(tokens, { member: member.token, other: other.token })
  const privacies = [
    { made: false, repository: false },
    { made: true, repository: true },
    { made: true, repository: false },
    { made: false, repository: true },
  ]
  for (const [index, hidden] of privacies.entries()) {
    const name = `r${index + 1}`
    const repository = await make.repository({ name, private: hidden.repository })
    const build = await make.build({ repository, private: hidden.made })
    await make.job({ build, private: hidden.made })
    await make.permission(member, repository, 'admin')
  }
  await db.updateTable('requests').set({ private: true }).where('id', 'in', [2, 3]).execute()
  await db.updateTable('requests').set({ private: false }).where('id', 'in', [1, 4]).execute()
})

// Each of them has a variable and a key, also after one was removed.
beforeEach(async () => {
  for (const repository_id of [1, 2, 3, 4]) {
    const id = `00000000-0000-4000-8000-00000000000${repository_id}`
    const sealed_value = testSealer.sealText({ type: 'env_var', id }, 'a')
    const variable = { id, repository_id, name: 'A', sealed_value }
    await db
      .insertInto('env_vars')
      .values(variable)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('ssh_keys')
      .values({ repository_id, fingerprint: null, sealed_value: 'sealed' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
})

const headers = (who: string, rest: Record<string, string>) =>
  tokens[who] === undefined ? rest : { ...rest, authorization: `token ${tokens[who]}` }

const status = async (path: string, who: string, rest: Record<string, string>) =>
  (await call(path, headers(who, rest))).statusCode

type Statuses = [member: number, other: number, nobody: number]

const visible: Statuses = [200, 200, 200]
const hidden: Statuses = [200, 404, 404]
const absent: Statuses = [404, 404, 404]

/** What repository, or what it created, 1 to 5 is to a member, to another user and to no one. */
const ofRepository = [visible, hidden, visible, hidden, absent]
// Public only while both it and its repository are (D24).
const ofRecord = [visible, hidden, hidden, hidden, absent]
const pushed: Statuses = [200, 404, 401]
const unknown: Statuses = [404, 404, 401]
const login: Statuses = [200, 200, 401]
/** What needs a login to be read. */
const ofKnown = [login, pushed, login, pushed, unknown]
/** What is missing to those who cannot push or administer. */
const ofPusher = [pushed, pushed, pushed, pushed, unknown]
/** What says so where it is visible. */
const hook: Statuses = [200, 403, 401]
const ofAdmin = [hook, pushed, hook, pushed, unknown]
/** What lacks its body where it can be written. */
const bodiless: Statuses = [422, 404, 401]
const ofBodiless = [bodiless, bodiless, bodiless, bodiless, unknown]
/** The same for everyone. */
const open = [visible]

type Row = [calls: string | readonly string[], statuses: readonly Statuses[]]

/** The endpoints of variables below one of their two paths. */
function ofEnvVars(path: string): Record<string, Row> {
  const variable = `${path}/00000000-0000-4000-8000-00000000000{id}`
  const one: Row = [[variable, `${variable}?repository_id={id}`], ofPusher]
  return {
    [`GET ${path}`]: [`${path}?repository_id={id}`, ofPusher],
    [`POST ${path}`]: [`${path}?repository_id={id}&env_var[name]=A`, ofPusher],
    [`GET ${path}/:env_var`]: one,
    [`PATCH ${path}/:env_var`]: one,
    [`DELETE ${path}/:env_var`]: one,
  }
}

/** Every endpoint that is mounted, with calls that reach it; `{id}` is that of the record. */
const matrix: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  v2: {
    'GET /': ['/', open],
    'GET /config': ['/config', open],
    'GET /repos/:id': [['/repos/{id}', '/repos/octavia%2Fr{id}'], ofRepository],
    'GET /repos/:owner/:name': ['/repos/octavia/r{id}', ofRepository],
    'GET /builds/:build': ['/builds/{id}', ofRecord],
    'GET /jobs/:job': ['/jobs/{id}', ofRecord],
    'GET /jobs/:job/log': ['/jobs/{id}/log', ofRecord],
    'GET /jobs/:job/logs': ['/jobs/{id}/logs', ofRecord],
    'GET /jobs/:job/log.txt': ['/jobs/{id}/log.txt', ofRecord],
    'GET /jobs/:job/logs.txt': ['/jobs/{id}/logs.txt', ofRecord],
    'GET /requests': [
      ['/requests?repository_id={id}', '/requests?slug=octavia%2Fr{id}'],
      ofRepository,
    ],
    'GET /requests/:request': ['/requests/{id}', ofRecord],
    'POST /lint': ['/lint?content=script:', open],
    'PUT /lint': ['/lint?content=script:', open],
    'GET /repos/:id/key': [['/repos/{id}/key', '/repos/octavia%2Fr{id}/key'], ofRepository],
    'GET /repos/:owner/:name/key': ['/repos/octavia/r{id}/key', ofRepository],
    'POST /repos/:id/key': [['/repos/{id}/key', '/repos/octavia%2Fr{id}/key'], ofPusher],
    'POST /repos/:owner/:name/key': ['/repos/octavia/r{id}/key', ofPusher],
    'GET /repos/:id/settings': [
      ['/repos/{id}/settings', '/repos/octavia%2Fr{id}/settings'],
      ofKnown,
    ],
    'GET /repos/:owner/:name/settings': ['/repos/octavia/r{id}/settings', ofKnown],
    'PATCH /repos/:id/settings': [
      ['/repos/{id}/settings', '/repos/octavia%2Fr{id}/settings'],
      ofPusher,
    ],
    'PATCH /repos/:owner/:name/settings': ['/repos/octavia/r{id}/settings', ofPusher],
    ...ofEnvVars('/settings/env_vars'),
    ...ofEnvVars('/repos/settings/env_vars'),
    'GET /settings/ssh_key/:repository': ['/settings/ssh_key/{id}', ofPusher],
    'PATCH /settings/ssh_key/:repository': ['/settings/ssh_key/{id}', ofBodiless],
    'DELETE /settings/ssh_key/:repository': ['/settings/ssh_key/{id}', ofPusher],
    'PUT /hooks': ['/hooks?hook[id]={id}', ofAdmin],
    'PUT /hooks/:hook': ['/hooks/{id}', ofAdmin],
  },
  v3: {
    'GET /': ['/', open],
    'GET /repo/:repository': [['/repo/{id}', '/repo/octavia%2Fr{id}'], ofRepository],
    'GET /repo/:provider/:repository': [
      ['/repo/codehost/{id}', '/repo/codehost/octavia%2Fr{id}'],
      ofRepository,
    ],
    'GET /repo/:repository/branch/:branch': ['/repo/{id}/branch/main', ofRepository],
    'GET /repo/:provider/:repository/branch/:branch': [
      '/repo/codehost/{id}/branch/main',
      ofRepository,
    ],
    'GET /repo/:repository/branches': ['/repo/{id}/branches', ofRepository],
    'GET /repo/:provider/:repository/branches': ['/repo/codehost/{id}/branches', ofRepository],
    'POST /lint': ['/lint?content=script:', open],
  },
  page: {
    'GET /': ['/', open],
    'GET /docs/lint': ['/docs/lint', open],
    'GET /docs/lint/:code': ['/docs/lint/unknown_key', open],
    'GET /lint': ['/lint', open],
    'GET /lint/check': ['/lint/check', open],
    'POST /lint/check': ['/lint/check', open],
    'GET /:owner/:name': ['/octavia/r{id}', ofRepository],
    'GET /:owner/:name/builds/:build': ['/octavia/r{id}/builds/{id}', ofRecord],
    'GET /:owner/:name/jobs/:job': ['/octavia/r{id}/jobs/{id}', ofRecord],
  },
}

const accept = (version: string) => `application/vnd.service.${version}+json, */*`

const headersOf: Readonly<Record<string, Record<string, string>>> = {
  v2: { accept: accept('2.1') },
  v3: { 'service-api-version': '3' },
  page: { accept: 'text/html' },
}

const generations = Object.keys(matrix)

test.each(generations)('every endpoint of %s is in the matrix', (generation) => {
  const mounted = routes
    .filter((route) => route.generation === generation)
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(matrix[generation] ?? {}).toSorted()).toEqual(mounted.toSorted())
})

/** Calls of one generation with the status for each kind of caller. */
function rowsOf(generation: string) {
  return Object.entries(matrix[generation] ?? {}).flatMap(([endpoint, [calls, statuses]]) =>
    [calls]
      .flat()
      .flatMap((path) =>
        statuses.flatMap((expected, index) =>
          ['member', 'other', 'nobody'].map((who, column) => ({
            asked: `${endpoint.split(' ')[0]} ${path.replaceAll('{id}', String(index + 1))}`,
            who,
            expected: expected[column] ?? 0,
          })),
        ),
      ),
  )
}

describe.each(generations)('in %s', (generation) => {
  test.each(rowsOf(generation))('$asked is $expected to $who', async ({ asked, who, expected }) => {
    expect(await status(asked, who, headersOf[generation] ?? {})).toBe(expected)
  })
})

describe('in V2', () => {
  // An anonymous caller has to log in before anything is said to be missing.
  const rows = rowsOf('v2').map((row) => ({
    ...row,
    expected: row.expected === 404 && row.who === 'nobody' ? 401 : row.expected,
  }))
  test.each(rows)('$asked is $expected to $who', async ({ asked, who, expected }) => {
    expect(await status(asked, who, { accept: accept('2') })).toBe(expected)
  })
})

describe('what is hidden looks exactly like what is not there', () => {
  const guarded = generations.flatMap((generation) =>
    Object.entries(matrix[generation] ?? {}).flatMap(([endpoint, [calls, statuses]]) =>
      statuses === open
        ? []
        : [calls].flat().map((path) => [generation, `${endpoint.split(' ')[0]} ${path}`] as const),
    ),
  )

  test.each(guarded)('in %s: %s', async (generation, template) => {
    const answers = await Promise.all(
      [2, 5].map(async (id) => {
        const asked = template.replaceAll('{id}', String(id))
        const { statusCode, headers, body } = await call(asked, headersOf[generation])
        const { date: _date, 'content-length': _length, ...others } = headers
        // V2.1 repeats the id of a job that it could not find.
        return { statusCode, others, body: body.replace(`(${id})`, '(#)') }
      }),
    )
    expect(answers[0]).toEqual(answers[1])
  })
})

test('V2 asks anonymous viewers to log in, in plain text', async () => {
  const answer = await call('GET /builds/2', { accept: accept('2') })
  expect([answer.statusCode, answer.body]).toEqual([401, 'no access token supplied'])
  expect(answer.headers['content-type']).toBe('text/plain;charset=utf-8')
})

test('V2 does not say so of paths that are unknown', async () => {
  const answer = await call('GET /nowhere', { accept: accept('2') })
  expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
})
