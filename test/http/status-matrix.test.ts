import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { putUserBetaFeature } from '../../src/store/beta-features.ts'
import { putBranch, setLastBuildOfBranch } from '../../src/store/branches.ts'
import { noon, testContext, testSealer } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { withRoutes } from '../support/routes.ts'
import { caller } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)
// More calls come from one address here than are allowed to one.
const rates = { count() {} }
const { server, routes } = await withRoutes(() => createServer({ ...testContext(db), rates }))
const call = caller(server)

const tokens: Record<string, string> = {}

const { privateKey } = generateKeyPairSync('ed25519')
const sshKey = encodeURIComponent(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))

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
    await make.notification(build)
    const { id } = await putBranch(db, repository.id, 'main')
    await setLastBuildOfBranch(db, id, build.id, null)
    await make.permission(member, repository, 'admin')
  }
  const features = ['first', 'second'].map((name) => ({ name, description: name }))
  await db.insertInto('beta_features').values(features).execute()
  const acme = await make.organization('acme')
  await make.membership(member, acme, 'admin')
  await make.installation({ owner_id: acme.id, owner_type: 'Organization' }, { codehost_id: 1 })
  const elsewhere = await make.repository({ id: 99, name: 'elsewhere' })
  await make.permission(member, elsewhere, 'admin')
  const limited = await call(
    `POST /tokens?name=a&scopes=read,builds,settings,admin&repositories=${elsewhere.id}`,
    headers('member', { 'service-api-version': '3' }),
  )
  tokens['limited'] = limited.json<{ token: string }>().token
  await db.updateTable('requests').set({ private: true }).where('id', 'in', [2, 3]).execute()
  await db.updateTable('requests').set({ private: false }).where('id', 'in', [1, 4]).execute()
})

// A sync goes on until it is looked up.
beforeEach(() => db.updateTable('users').set({ is_syncing: false }).execute())
// The member has chosen a feature, also after the choice was removed.
beforeEach(() => putUserBetaFeature(db, { user_id: 1, beta_feature_id: 2, enabled: true }))
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
    const pair = { public_key: 'PEM', fingerprint: 'aa:bb', sealed_private_key: 'sealed' }
    await db
      .insertInto('key_pairs')
      .values({ repository_id, ...pair })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
})
// And a cron with its own number, which those that replace it have not.
beforeEach(async () => {
  await db.deleteFrom('crons').execute()
  const branches = await db.selectFrom('branches').selectAll().where('name', '=', 'main').execute()
  for (const { id: branch_id, repository_id } of branches) {
    const plan = { interval: 'daily', start_at: null, next_run: noon } as const
    await db
      .insertInto('crons')
      .values({ id: repository_id, repository_id, branch_id, ...plan })
      .execute()
  }
})

const headers = (who: string, rest: Record<string, string>) =>
  tokens[who] === undefined ? rest : { ...rest, authorization: `token ${tokens[who]}` }

async function status(path: string, who: string, rest: Record<string, string>): Promise<number> {
  if (!path.startsWith('GET')) await undo()
  const { statusCode } = await call(path, headers(who, rest))
  // The next request has a number that other calls take for a missing one.
  if (path.startsWith('POST')) await db.deleteFrom('requests').where('id', '>', 4).execute()
  // What revokes the token has to leave it to the other calls.
  if (/^(?:GET \/logout|DELETE \/(?:access_)?token|POST \/(?:logout|profile))/.test(path))
    await db.updateTable('tokens').set({ revoked_at: null }).execute()
  return statusCode
}

/** Makes up for what earlier calls have written. */
async function undo(): Promise<void> {
  for (const table of ['builds', 'jobs'] as const) {
    await db.updateTable(table).set({ state: 'created', finished_at: null }).execute()
  }
  await db.updateTable('repositories').set({ active: true }).execute()
  await db.updateTable('notifications').set({ state: 'sent' }).execute()
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
/** Organization 1 is there, no other one is. */
const ofOrganization: Statuses[] = [
  [204, 204, 403],
  [404, 404, 403],
]
/** The member is its admin. */
const ofOrganizationAdmin: Statuses[] = [
  [200, 404, 403],
  [404, 404, 403],
]
/** Of what is the caller's own: the member is user 1, the other one 2. */
const ofCallerInV3: Statuses[] = [[200, 200, 403]]
const ofSelfInV3: Statuses[] = [
  [200, 404, 403],
  [404, 200, 403],
  [404, 404, 403],
]
/** The same for everyone. */
const open = [visible]
/** Of what needs a login. */
const ofCaller: Statuses[] = [[200, 200, 401]]
const itself: Statuses = [404, 404, 401]
/** Lists of what is hidden are empty; V2 asks anonymous callers to log in instead. */
const ofList = [visible, visible, visible, visible, visible]
const unlisted: Statuses = [200, 200, 401]
const ofListInV2 = [visible, unlisted, visible, unlisted, unlisted]
/** In V3, of the installation, which none of them administers. */
const ofAdministrator: Statuses[] = [[404, 404, 403]]
/** In V3, of what belongs to the member, and to the other one. */
const ownedInV3 = (done: number): Statuses[] => [
  [done, 404, 403],
  [404, done, 403],
]
/** In V3, of what only the admins of a repository do. */
const administered = (done: number): Statuses[] => [
  [done, 403, 403],
  [done, 404, 403],
  [done, 403, 403],
  [done, 404, 403],
  [404, 404, 403],
]
/** In V3, of what only they see. */
const ofAdminInV3 = (done: number): Statuses[] => [
  ...Array.from({ length: 4 }, (): Statuses => [done, 404, 403]),
  [404, 404, 403],
]
const always = (status: number): Statuses[] => [[status, status, status]]

/** A write of a record for which a member has the right, with the status for those who have not. */
const written = (done: number, refused: number): Statuses[] => [
  [done, refused, 401],
  [done, 404, 401],
  [done, 404, 401],
  [done, 404, 401],
  [404, 404, 401],
]

/** The same in V3, where a missing login is 403. */
const changedInV3 = (done: number): Statuses[] => [
  [done, 403, 403],
  [done, 404, 403],
  [done, 404, 403],
  [done, 404, 403],
  [404, 404, 403],
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

/** What a call of V3 is where it can be done, to those without the right, and without a login. */
const writtenInV3 = (done: number, refused: number): Statuses[] => [
  [done, refused, 403],
  [done, 404, 403],
  [done, refused, 403],
  [done, 404, 403],
  [404, 404, 403],
]

/** The endpoints of V3 of a record in a repository, in all four forms of the path. */
function ofRepositoryInV3(
  method: string,
  rest: string,
  statuses: readonly Statuses[],
  route = rest,
): Record<string, Row> {
  return Object.fromEntries(
    ['', '/codehost'].map((provider) => [
      `${method} /repo${provider && '/:provider'}/:repository${route}`,
      [[`/repo${provider}/{id}${rest}`, `/repo${provider}/octavia%2Fr{id}${rest}`], statuses],
    ]),
  )
}

/** What of a repository of V3 only those can see who can push. */
const ofPusherInV3 = (done: number) => writtenInV3(done, 404)

/** The endpoints of V3 below a repository: a method and a path, a query, and what becomes of it. */
const belowRepositories: readonly (readonly [string, string, string, readonly Statuses[]])[] = [
  ['GET', '/env_vars', '', writtenInV3(200, 403)],
  ['POST', '/env_vars', '?env_var.name={fresh}', writtenInV3(201, 403)],
  ['GET', '/env_var/:env_var', '', ofPusherInV3(200)],
  ['PATCH', '/env_var/:env_var', '', ofPusherInV3(200)],
  ['DELETE', '/env_var/:env_var', '', ofPusherInV3(204)],
  ['GET', '/key_pair', '', ofPusherInV3(200)],
  ['POST', '/key_pair', '', writtenInV3(400, 403)],
  ['PATCH', '/key_pair', '', ofPusherInV3(200)],
  ['DELETE', '/key_pair', '', ofPusherInV3(204)],
  ['GET', '/key_pair/generated', '', ofPusherInV3(200)],
  ['POST', '/key_pair/generated', '', writtenInV3(201, 403)],
  ['GET', '/caches', '', writtenInV3(200, 403)],
  ['DELETE', '/caches', '', writtenInV3(200, 403)],
  ['GET', '/requests', '', ofRepository],
  ['POST', '/requests', '', writtenInV3(202, 403)],
  ['GET', '/request/:request', '', ofRecord],
  ['GET', '/request/:request/messages', '', ofRecord],
  ['GET', '/request/:request/explain', '', ofRecord],
  // None of them comes from a fork.
  ['POST', '/request/:request/approve', '', changedInV3(422)],
  // There is no code host to ask.
  ['POST', '/request/preview', '', writtenInV3(503, 403)],
  ['POST', '/request/:preview', '', writtenInV3(503, 403)],
  ['GET', '/crons', '', ofRepository],
  ['GET', '/branch/:branch/cron', '', ofRepository],
  ['POST', '/branch/:branch/cron', '?interval=daily', writtenInV3(200, 403)],
]

/** The same with and without a provider. */
const rowsBelowRepositories: Record<string, Row> = Object.fromEntries(
  belowRepositories.flatMap(([method, path, query, statuses]) =>
    ['', '/codehost'].map((provider) => {
      const called = path
        .replace(':env_var', '00000000-0000-4000-8000-00000000000{id}')
        .replace(':request', '{id}')
        .replace(':preview', 'other')
        .replace(':branch', 'main')
      const fresh = query.replace('{fresh}', `FRESH${provider.length}`)
      return [
        `${method} /repo${provider === '' ? '' : '/:provider'}/:repository${path}`,
        [`/repo${provider}/{id}${called}${fresh}`, statuses],
      ]
    }),
  ),
)

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
    'POST /requests': [['/requests?build_id={id}', '/requests?job_id={id}'], written(400, 400)],
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
    'POST /auth/handshake': ['/auth/handshake', always(403)],
    'GET /auth/insufficient_access': ['/auth/insufficient_access', open],
    'GET /auth/post_message': ['/auth/post_message', always(403)],
    'GET /auth/post_message/iframe': ['/auth/post_message/iframe', always(403)],
    'POST /auth/post_message': ['/auth/post_message', always(403)],
    'GET /unsubscribe/:link': ['/unsubscribe/1-1-forged', always(404), always(404)],
    'POST /unsubscribe/:link': ['/unsubscribe/1-1-forged', always(404), always(404)],
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
    'GET /owner/:login/active': ['/owner/octavia/active', open],
    'GET /owner/:provider/:login/active': ['/owner/codehost/octavia/active', open],
    'GET /owner/codehost_id/:codehost_id/active': ['/owner/codehost_id/1/active', open],
    'GET /build/:build': ['/build/{id}', ofRecord],
    'GET /build/:build/jobs': ['/build/{id}/jobs', ofRecord],
    'GET /build/:build/stages': ['/build/{id}/stages', ofRecord],
    'POST /build/:build/cancel': ['/build/{id}/cancel', changedInV3(202)],
    'POST /build/:build/restart': ['/build/{id}/restart', changedInV3(202)],
    'POST /build/:build/restart_failed': ['/build/{id}/restart_failed', changedInV3(202)],
    // None of them comes from a fork.
    'POST /request/:request/approve': ['/request/{id}/approve', changedInV3(422)],
    'POST /build/:build/priority': ['/build/{id}/priority', changedInV3(403)],
    'GET /builds': ['/builds', ofCallerInV3],
    'GET /repo/:repository/builds': ['/repo/{id}/builds', ofRepository],
    'GET /repo/:provider/:repository/builds': ['/repo/codehost/{id}/builds', ofRepository],
    'GET /job/:job': ['/job/{id}', ofRecord],
    'GET /job/:job/attempts': ['/job/{id}/attempts', ofRecord],
    'POST /job/:job/cancel': ['/job/{id}/cancel', changedInV3(202)],
    'POST /job/:job/restart': ['/job/{id}/restart', changedInV3(202)],
    'POST /job/:job/debug': ['/job/{id}/debug', changedInV3(403)],
    'GET /jobs': ['/jobs', ofCallerInV3],
    'GET /job/:job/log': ['/job/{id}/log', ofRecord],
    'GET /job/:job/log.txt': ['/job/{id}/log.txt', ofRecord],
    'GET /job/:job/log_parts': ['/job/{id}/log_parts', ofRecord],
    'DELETE /job/:job/log': ['/job/{id}/log', changedInV3(409)],
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
    ...ofRepositoryInV3('POST', '/activate', writtenInV3(200, 403)),
    ...ofRepositoryInV3('POST', '/deactivate', writtenInV3(200, 403)),
    ...ofRepositoryInV3('POST', '/star', writtenInV3(200, 200)),
    ...ofRepositoryInV3('POST', '/unstar', writtenInV3(200, 200)),
    ...ofRepositoryInV3('POST', '/email_subscription', writtenInV3(204, 204)),
    ...ofRepositoryInV3('DELETE', '/email_subscription', writtenInV3(204, 204)),
    'POST /org/:organization/email_subscription': ['/org/{id}/email_subscription', ofOrganization],
    'DELETE /org/:organization/email_subscription': [
      '/org/{id}/email_subscription',
      ofOrganization,
    ],
    ...ofRepositoryInV3('GET', '/settings', ofRepository),
    ...ofRepositoryInV3('GET', '/setting/build_pushes', ofRepository, '/setting/:setting'),
    ...ofRepositoryInV3(
      'PATCH',
      '/setting/build_pushes?value=true',
      writtenInV3(200, 403),
      '/setting/:setting',
    ),
    'GET /repos': ['/repos', ofCallerInV3],
    'GET /broadcasts': ['/broadcasts', ofCallerInV3],
    // Only administrators make them.
    'POST /broadcasts': ['/broadcasts?message=a', [[403, 403, 403]]],
    'GET /preferences': ['/preferences', ofCallerInV3],
    'GET /preference/:preference': ['/preference/build_emails', ofCallerInV3],
    'PATCH /preference/:preference': ['/preference/build_emails?value=true', ofCallerInV3],
    'GET /org/:organization/preferences': ['/org/{id}/preferences', ofOrganizationAdmin],
    'GET /org/:organization/preference/:preference': [
      '/org/{id}/preference/consume_oss_credits',
      ofOrganizationAdmin,
    ],
    'PATCH /org/:organization/preference/:preference': [
      '/org/{id}/preference/private_insights_visibility?value=private',
      ofOrganizationAdmin,
    ],
    'GET /user/:user/beta_features': ['/user/{id}/beta_features', ofSelfInV3],
    'PATCH /user/:user/beta_feature/:beta_feature': [
      '/user/{id}/beta_feature/1?enabled=true',
      ofSelfInV3,
    ],
    'DELETE /user/:user/beta_feature/:beta_feature': [
      '/user/{id}/beta_feature/2',
      [
        [200, 404, 403],
        [404, 404, 403],
      ],
    ],
    'GET /owner/:login/repos': ['/owner/octavia/repos', open],
    'GET /owner/:provider/:login/repos': ['/owner/codehost/octavia/repos', open],
    'GET /owner/codehost_id/:codehost_id/repos': ['/owner/codehost_id/1/repos', open],
    'GET /owner/codehost_id/:codehost_id': ['/owner/codehost_id/1', open],
    'GET /owner/:provider/:login': [['/owner/codehost/octavia', '/owner/github/ACME'], open],
    'GET /owner/:login': [['/owner/octavia', '/owner/acme'], open],
    'GET /owner/codehost_id/:codehost_id/allowance': ['/owner/codehost_id/1/allowance', open],
    'GET /owner/:provider/:login/allowance': ['/owner/codehost/octavia/allowance', open],
    'GET /owner/:login/allowance': ['/owner/octavia/allowance', open],
    'GET /user': ['/user', ofCallerInV3],
    // The member is user 1, the other one 2, the owner 3.
    'GET /user/:user': ['/user/{id}', open],
    'POST /user/:user/sync': [
      '/user/{id}/sync',
      [
        [200, 403, 403],
        [403, 200, 403],
        [403, 403, 403],
      ],
    ],
    'POST /user/:user/block': ['/user/{id}/block', [[403, 403, 403]]],
    'POST /user/:user/unblock': ['/user/{id}/unblock', [[403, 403, 403]]],
    'GET /orgs': ['/orgs', ofCallerInV3],
    'GET /org/:organization': ['/org/{id}', [visible, absent]],
    'GET /installation/:installation': ['/installation/{id}', [visible, absent]],
    'GET /logout': ['/logout', ofCallerInV3],
    'PATCH /access_token': ['/access_token', [[400, 400, 403]]],
    'DELETE /access_token': ['/access_token', [[204, 204, 403]]],
    'GET /deliveries': ['/deliveries', ofAdministrator],
    'GET /delivery/:delivery': ['/delivery/guid-1', ofAdministrator],
    'POST /delivery/:delivery/replay': ['/delivery/guid-1/replay', ofAdministrator],
    'GET /runners': ['/runners', ofAdministrator],
    'GET /queues': ['/queues', ofAdministrator],
    'GET /audit_records': ['/audit_records', ofAdministrator],
    'GET /tokens': ['/tokens', ofCallerInV3],
    'POST /tokens': ['/tokens?name=a', [[201, 201, 403]]],
    // The member has token 1, the other one 2.
    'GET /token/:token': ['/token/{id}', ownedInV3(200)],
    'DELETE /token/:token': ['/token/{id}', ownedInV3(204)],
    'GET /repo/:repository/tokens': ['/repo/{id}/tokens', administered(200)],
    'GET /repo/:provider/:repository/tokens': ['/repo/codehost/{id}/tokens', administered(200)],
    'POST /repo/:repository/tokens': ['/repo/{id}/tokens?name=a', administered(201)],
    'POST /repo/:provider/:repository/tokens': [
      '/repo/codehost/{id}/tokens?name=a',
      administered(201),
    ],
    ...ofRepositoryInV3('GET', '/notifications', administered(200)),
    'GET /notification/:notification': ['/notification/{id}', ofAdminInV3(200)],
    'POST /notification/:notification/resend': ['/notification/{id}/resend', ofAdminInV3(202)],
    ...rowsBelowRepositories,
    'GET /cron/:cron': ['/cron/{id}', ofRepository],
    'DELETE /cron/:cron': ['/cron/{id}', writtenInV3(204, 403)],
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
    'GET /login': ['/login', [[303, 303, 200]]],
    'POST /logout': ['/logout', [[303, 303, 401]]],
    'GET /profile': ['/profile', ofCaller],
    // Without a name.
    'POST /profile/tokens': ['/profile/tokens', [[422, 422, 401]]],
    // The member has token 1, the other one 2.
    'POST /profile/tokens/:token/revoke': [
      '/profile/tokens/{id}/revoke',
      [
        [303, 404, 401],
        [404, 303, 401],
      ],
    ],
    'POST /profile/revoke_all': ['/profile/revoke_all', [[303, 303, 401]]],
    'POST /profile/sync': ['/profile/sync', [[303, 303, 401]]],
    'GET /lint': ['/lint', open],
    'GET /lint/check': ['/lint/check', open],
    'POST /lint/check': ['/lint/check', open],
    // There is no app to set up.
    'GET /setup': ['/setup', [absent]],
    'POST /setup/app': ['/setup/app', [absent]],
    'GET /setup/callback': ['/setup/callback', [absent]],
    'GET /:owner/:name': ['/octavia/r{id}', ofRepository],
    'GET /:owner/:name/builds/:build': ['/octavia/r{id}/builds/{id}', ofRecord],
    'POST /:owner/:name/builds/:build/approve': [
      '/octavia/r{id}/builds/{id}/approve',
      written(303, 403),
    ],
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

/** What only works once the jobs have finished, or with a body: what it is to each caller then. */
const done: readonly [call: string, statuses: readonly Statuses[]][] = [
  ['POST /builds/{id}/restart', written(202, 400)],
  ['POST /jobs/{id}/restart', written(202, 400)],
  ['POST /requests?build_id={id}', written(200, 400)],
  ['PATCH /jobs/{id}/log', written(200, 401)],
  ['PATCH /logs/{id}', written(200, 401)],
  [`PATCH /settings/ssh_key/{id}?ssh_key[value]=${sshKey}`, ofPusher],
]

/** Of lists: what is no row of one record. */
const selections: readonly [call: string, statuses: Statuses][] = [
  ['GET /builds', [400, 400, 400]],
  ['GET /builds?number=1', [400, 400, 400]],
  ['GET /jobs', [400, 400, 400]],
  ['GET /builds?running=true', [200, 200, 200]],
]

describe.each(['2.1', '2'])('in V%s, of what has finished', (version) => {
  const rows = done.flatMap(([template, statuses]) =>
    statuses.flatMap((expected, index) =>
      ['member', 'other', 'nobody'].map((who, column) => ({
        asked: template.replaceAll('{id}', String(index + 1)),
        shown: `${template.split('?')[0]} of ${index + 1}`,
        who,
        expected: expected[column],
      })),
    ),
  )

  test.each(rows)('$shown is $expected to $who', async ({ asked, who, expected }) => {
    for (const table of ['builds', 'jobs'] as const) {
      await db.updateTable(table).set({ state: 'passed', finished_at: noon }).execute()
    }
    await db.updateTable('logs').set({ removed_at: null }).execute()
    const { statusCode } = await call(asked, headers(who, { accept: accept(version) }))
    await undo()
    expect(statusCode).toBe(expected)
  })

  test.each(selections)(
    '%s is %j to a member, another user and no one',
    async (asked, expected) => {
      const found = []
      for (const who of ['member', 'other', 'nobody']) {
        found.push(await status(asked, who, { accept: accept(version) }))
      }
      expect(found).toEqual(expected)
    },
  )
})

test('builds that run are those of the caller’s repositories', async () => {
  await db.updateTable('builds').set({ state: 'started', started_at: noon }).execute()
  const running = async (who: string) => {
    const answer = await call('GET /builds?running=true', headers(who, { accept: accept('2.1') }))
    return answer.json<{ builds: { id: number }[] }>().builds.map(({ id }) => id)
  }
  const found = [await running('member'), await running('other'), await running('nobody')]
  await undo()
  expect(found).toEqual([[4, 3, 2, 1], [], []])
})

describe('a member’s token for another repository only', () => {
  const isOwn = /^\w+ \/repo\/.*\/(?:un)?(?:star|email_subscription)$/
  const rows = generations.flatMap((generation) =>
    // It sees its user; for those on tokens nothing is looked up.
    Object.entries(matrix[generation] ?? {})
      .filter(
        ([endpoint, [, statuses]]) =>
          statuses.length === 5 && !/\/(?:tokens|:user)$/.test(endpoint),
      )
      .flatMap(([endpoint, [calls, statuses]]) =>
        [calls].flat().map((path) => ({
          generation,
          template: `${endpoint.split(' ')[0]} ${path}`,
          // What is the user's own, wherever it is, such a token does not change at all.
          expected: statuses.map(([, other]) => (isOwn.test(endpoint) ? 403 : other)),
        })),
      ),
  )

  test.each(rows)(
    'sees and does no more than a stranger in $generation: $template',
    async ({ generation, template, expected }) => {
      const found: number[] = []
      for (const id of ['1', '2', '3', '4', '5']) {
        const asked = template.replaceAll('{id}', id)
        found.push(await status(asked, 'limited', headersOf[generation] ?? {}))
      }
      expect(found).toEqual(expected)
    },
  )
})

describe('in V2', () => {
  // An anonymous caller has to log in before anything is said to be missing, but for a link in a mail.
  const asksToLogIn = ({ asked, who, expected }: ReturnType<typeof rowsOf>[number]) =>
    expected === 404 && who === 'nobody' && !asked.includes('/unsubscribe/')
  const rows = rowsOf('v2', true).map((row) => ({
    ...row,
    expected: asksToLogIn(row) ? 401 : row.expected,
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
        : [calls]
            .flat()
            .filter((path) => path.includes('{id}'))
            .map((path) => [generation, `${endpoint.split(' ')[0]} ${path}`] as const),
    ),
  )

  test.each(guarded)('in %s: %s', async (generation, template) => {
    const answers = await Promise.all(
      [2, 5].map(async (id) => {
        const asked = template.replaceAll('{id}', String(id))
        const { statusCode, headers, body } = await call(asked, headersOf[generation])
        const { date: _date, 'content-length': _length, ...others } = headers
        // V2.1 repeats the id of a job that it could not find, and a page its own address.
        const same = body.replace(`(${id})`, '(#)').replace(/\/login\?to=[^"]*/, '/login')
        return { statusCode, others, body: same }
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
