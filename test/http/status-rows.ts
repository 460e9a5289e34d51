// Every endpoint that is mounted, with the status that it has for each kind of caller.
import { organizationsVariable, usersVariable } from './status-scene.ts'

export type Statuses = [member: number, other: number, nobody: number]

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
export const ofPusher = [pushed, pushed, pushed, pushed, unknown]
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
export const open = [visible]
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
export const written = (done: number, refused: number): Statuses[] => [
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

/**
 * The variables of owners of a kind: of the first of them one of the callers, by their place, can change
 * them, of the second another one.
 */
function ofOwnersVariables(
  kind: 'org' | 'user',
  variable: string,
  owned: readonly number[],
): Record<string, Row> {
  const record = kind === 'org' ? ':organization' : ':user'
  const own = (done: number, refused: number): Statuses[] =>
    owned.map((place) => [place === 0 ? done : refused, place === 1 ? done : refused, 403])
  const list = `/${kind}/{id}/account_env_vars`
  const one = `/${kind}/{id}/account_env_var/${variable}`
  const of = (done: number): Statuses[] => [
    [done, 404, 403],
    [404, 404, 403],
  ]
  return {
    [`GET /${kind}/${record}/account_env_vars`]: [list, own(200, 403)],
    [`POST /${kind}/${record}/account_env_vars`]: [
      `${list}?account_env_var.name=FRESH`,
      own(201, 403),
    ],
    [`GET /${kind}/${record}/account_env_var/:account_env_var`]: [one, of(200)],
    [`PATCH /${kind}/${record}/account_env_var/:account_env_var`]: [one, of(200)],
    [`DELETE /${kind}/${record}/account_env_var/:account_env_var`]: [one, of(204)],
  }
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
  ['POST', '/key_pair', '', writtenInV3(409, 403)],
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
export const matrix: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
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
    'GET /repos/:owner.xml': ['/repos/octavia.xml', open],
    ...Object.fromEntries(
      ['cc.xml', 'builds.atom'].flatMap((feed): [string, Row][] => [
        [`GET /repos/:id/${feed}`, [`/repos/{id}/${feed}`, ofRepository]],
        [`GET /repos/:owner/:name/${feed}`, [`/repos/octavia/r{id}/${feed}`, ofRepository]],
      ]),
    ),
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
    ...ofOwnersVariables('org', organizationsVariable, [0]),
    ...ofOwnersVariables('user', usersVariable, [0, 1]),
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
    'POST /user/:user/block': ['/user/{id}/block', ofAdministrator],
    'POST /user/:user/unblock': ['/user/{id}/unblock', ofAdministrator],
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
    'POST /profile/feed_token': ['/profile/feed_token', [[200, 200, 401]]],
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

export const accept = (version: string) => `application/vnd.service.${version}+json, */*`

export const headersOf: Readonly<Record<string, Record<string, string>>> = {
  v2: { accept: accept('2.1') },
  v3: { 'service-api-version': '3' },
  page: { accept: 'text/html' },
}

/** As the matrix names them. */
export const generations = Object.keys(matrix)

/** A call of an endpoint with its status for one kind of caller. */
export interface StatusRow {
  asked: string
  who: string
  expected: number
}

/** Calls of one generation with the status for each kind of caller. */
export function rowsOf(generation: string, asV2 = false): StatusRow[] {
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

/** Those of V2.1 as V2 answers them: an anonymous caller has to log in before anything is said to be missing. */
export function rowsInV2(): StatusRow[] {
  return rowsOf('v2', true).map((row) => ({
    ...row,
    expected: asksToLogIn(row) ? 401 : row.expected,
  }))
}

// But for a link in a mail.
const asksToLogIn = ({ asked, who, expected }: StatusRow) =>
  expected === 404 && who === 'nobody' && !asked.includes('/unsubscribe/')
