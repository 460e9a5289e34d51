import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { putBranch, setLastBuildOfBranch } from '../../src/store/branches.ts'
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
    const { id } = await putBranch(db, repository.id, 'main')
    await setLastBuildOfBranch(db, id, build.id, null)
    await make.permission(member, repository, 'admin')
  }
  await db.updateTable('requests').set({ private: true }).where('id', 'in', [2, 3]).execute()
  await db.updateTable('requests').set({ private: false }).where('id', 'in', [1, 4]).execute()
})

// A sync goes on until it is looked up.
beforeEach(() => db.updateTable('users').set({ is_syncing: false }).execute())
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

async function status(path: string, who: string, rest: Record<string, string>): Promise<number> {
  if (!path.startsWith('GET')) await undo()
  const { statusCode } = await call(path, headers(who, rest))
  // What revokes the token has to leave it to the other calls.
  if (path === 'GET /logout') await db.updateTable('tokens').set({ revoked_at: null }).execute()
  return statusCode
}

/** Makes up for what earlier calls have written. */
async function undo(): Promise<void> {
  for (const table of ['builds', 'jobs'] as const) {
    await db.updateTable(table).set({ state: 'created', finished_at: null }).execute()
  }
}

type Statuses = [member: number, other: number, nobody: number]

const visible: Statuses = [200, 200, 200]
const hidden: Statuses = [200, 404, 404]
const absent: Statuses = [404, 404, 404]

/** What repository, or what it created, 1 to 5 is to a member, to another user and to no one. */
const ofRepository = [visible, hidden, visible, hidden, absent]
// Public only while both it and its repository are (D24).
const ofRecord = [visible, hidden, hidden, hidden, absent]
// Of the public ones the right is missing to others.
const pushable: Statuses = [200, 403, 401]
const hiddenPushable: Statuses = [200, 404, 401]
const absentPushable: Statuses = [404, 404, 401]
const ofPushable = [pushable, hiddenPushable, pushable, hiddenPushable, absentPushable]
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
/** Of what needs a login. */
const ofCaller: Statuses[] = [[200, 200, 401]]
const itself: Statuses = [404, 404, 401]
/** Lists of what is hidden are empty; V2 asks anonymous callers to log in instead. */
const ofList = [visible, visible, visible, visible, visible]
const unlisted: Statuses = [200, 200, 401]
const ofListInV2 = [visible, unlisted, visible, unlisted, unlisted]
const always = (status: number): Statuses[] => [[status, status, status]]

/** A write of a record for which a member has the right, with the status for those who have not. */
const written = (done: number, refused: number): Statuses[] => [
  [done, refused, 401],
  [done, 404, 401],
  [done, 404, 401],
  [done, 404, 401],
  [404, 404, 401],
]

type Row = [
  calls: string | readonly string[],
  statuses: readonly Statuses[],
  /** If they are not those of V2.1, with 401 instead of 404 for no one. */
  inV2?: readonly Statuses[],
]

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
    'GET /accounts': ['/accounts', ofCaller],
    'GET /broadcasts': ['/broadcasts', ofCaller],
    'GET /hooks': ['/hooks', ofCaller],
    'GET /users': ['/users', ofCaller],
    // The member is user 1, the other one 2.
    'GET /users/:user': ['/users/{id}', [[200, 404, 401], [404, 200, 401], itself, itself, itself]],
    'GET /users/permissions': ['/users/permissions', ofCaller],
    'GET /branches': [
      ['/branches?repository_id={id}', '/branches?slug=octavia%2Fr{id}'],
      ofList,
      ofListInV2,
    ],
    'GET /repos/:id/branches': [
      ['/repos/{id}/branches', '/repos/octavia%2Fr{id}/branches'],
      ofList,
      ofListInV2,
    ],
    'GET /repos/:owner/:name/branches': ['/repos/octavia/r{id}/branches', ofList, ofListInV2],
    'GET /repos/:id/branches/*': [
      ['/repos/{id}/branches/main', '/repos/octavia%2Fr{id}/branches/main'],
      ofRecord,
    ],
    'GET /repos/:owner/:name/branches/*': ['/repos/octavia/r{id}/branches/main', ofRecord],
    'GET /repos': [['/repos', '/repos?ids={id}', '/repos?slug=octavia%2Fr{id}'], ofList, ofList],
    'GET /repos/:owner': ['/repos/octavia', open],
    'GET /repos/:id': [['/repos/{id}', '/repos/octavia%2Fr{id}'], ofRepository],
    'GET /repos/:owner/:name': ['/repos/octavia/r{id}', ofRepository],
    'GET /builds/:build': ['/builds/{id}', ofRecord],
    'GET /builds': [
      ['/builds?repository_id={id}', '/builds?slug=octavia%2Fr{id}'],
      ofList,
      ofListInV2,
    ],
    'GET /repos/:id/builds': [
      ['/repos/{id}/builds', '/repos/octavia%2Fr{id}/builds'],
      ofList,
      ofListInV2,
    ],
    'GET /repos/:owner/:name/builds': ['/repos/octavia/r{id}/builds', ofList, ofListInV2],
    'GET /repos/:id/builds/:build': [
      ['/repos/{id}/builds/{id}', '/repos/octavia%2Fr{id}/builds/{id}'],
      ofRecord,
    ],
    'GET /repos/:owner/:name/builds/:build': ['/repos/octavia/r{id}/builds/{id}', ofRecord],
    'GET /jobs': [['/jobs?ids={id}', '/jobs?state=created', '/jobs?queue=x'], ofList, ofList],
    'POST /builds/:build/cancel': ['/builds/{id}/cancel', written(204, 403)],
    'POST /builds/:build/restart': ['/builds/{id}/restart', written(400, 400)],
    'GET /jobs/:job': ['/jobs/{id}', ofRecord],
    'POST /jobs/:job/cancel': ['/jobs/{id}/cancel', written(204, 403)],
    'POST /jobs/:job/restart': ['/jobs/{id}/restart', written(400, 400)],
    'PATCH /jobs/:job/log': ['/jobs/{id}/log', written(409, 401)],
    'PATCH /jobs/:job/logs': ['/jobs/{id}/logs', written(409, 401)],
    'GET /logs/:log': ['/logs/{id}', ofRecord],
    'PATCH /logs/:log': ['/logs/{id}', written(409, 401)],
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
    'GET /repos/:id/caches': ['/repos/{id}/caches', ofPushable],
    'GET /repos/:owner/:name/caches': ['/repos/octavia/r{id}/caches', ofPushable],
    'DELETE /repos/:id/caches': ['/repos/{id}/caches', ofPushable],
    'DELETE /repos/:owner/:name/caches': ['/repos/octavia/r{id}/caches', ofPushable],
    'PUT /users/:user': ['/users/1', ofCaller],
    'POST /users/sync': ['/users/sync', ofCaller],
    'GET /logout': ['/logout', ofCaller],
    'POST /streaming/auth': ['/streaming/auth?socket_id=1.2', open],
    'POST /auth/codehost': ['/auth/codehost', always(422)],
    'GET /auth/handshake': ['/auth/handshake', always(302)],
    'GET /auth/handshake/:provider': ['/auth/handshake/codehost', always(302)],
    'POST /auth/handshake': ['/auth/handshake', always(401)],
    'GET /auth/post_message': ['/auth/post_message', always(403)],
    'GET /auth/post_message/iframe': ['/auth/post_message/iframe', always(403)],
    'POST /auth/post_message': ['/auth/post_message', always(403)],
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
    'GET /docs': ['/docs', open],
    'GET /docs/v2.1': ['/docs/v2.1', open],
    'GET /docs/v3': ['/docs/v3', open],
    'GET /docs/v3/:resource': ['/docs/v3/repository', open],
    'GET /docs/v3/:resource/:action': ['/docs/v3/repository/find', open],
    'POST /docs/v3/:resource/:action': ['/docs/v3/repository/find', open],
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
function rowsOf(generation: string, asV2 = false) {
  return Object.entries(matrix[generation] ?? {}).flatMap(([endpoint, [calls, statuses, inV2]]) =>
    [calls]
      .flat()
      .flatMap((path) =>
        ((asV2 ? inV2 : undefined) ?? statuses).flatMap((expected, index) =>
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
  const rows = rowsOf('v2', true).map((row) => ({
    ...row,
    expected: row.expected === 404 && row.who === 'nobody' ? 401 : row.expected,
  }))
  test.each(rows)('$asked is $expected to $who', async ({ asked, who, expected }) => {
    expect(await status(asked, who, { accept: accept('2') })).toBe(expected)
  })
})

describe('with a token that is none', () => {
  const rows = ['v2', 'v3'].flatMap((generation) =>
    rowsOf(generation).map(({ asked }) => [generation, asked] as const),
  )
  test.each([...new Map(rows.map((row) => [row.join(' '), row])).values()])(
    'in %s: %s is 403',
    async (generation, asked) => {
      const sent = { ...headersOf[generation], authorization: 'token none' }
      expect((await call(asked, sent)).statusCode).toBe(403)
    },
  )
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
