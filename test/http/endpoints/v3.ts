// The rows of V3.
import { keepCron, keepKeyPair, organizationsVariable, usersVariable } from './keep.ts'
import { few, read, type Rows, write } from './row.ts'
import {
  always,
  changedInV3,
  ofAdministrator,
  ofAll,
  ofCallerInV3,
  ofMemberInV3,
  ofOrganization,
  ofPublic,
  ofPusherInV3,
  ofRecord,
  ofRepository,
  ofSelfInV3,
  ownedInV3,
  writtenInV3,
} from './statuses.ts'

/** Below a repository, by its id and by its slug. */
const byBoth = (rest: string) => ({ calls: [`/repo/{id}${rest}`, `/repo/octavia%2Fr{id}${rest}`] })

export const v3: Rows = {
  'GET /': few(ofAll, 1, { open: true }),
  'POST /lint': write('none', ofAll, { calls: '?content=script:', statements: 1 }),

  // Owners.
  'GET /owner/:login': {
    calls: ['/owner/octavia', '/owner/acme', '/owner/codehost/octavia', '/owner/github/ACME'],
    statuses: ofAll,
    statements: {
      ...{ '/owner/acme': 3, '/owner/octavia': 2, '/owner/codehost/acme': 3 },
      '/owner/acme?include=owner.repositories,owner.installation': 9,
      '/owner/codehost_id/1': 2,
    },
  },
  'GET /owner/:login/active': read(ofAll, { '': 6, '/owner/acme/active': 3 }),
  'GET /owner/:login/allowance': read(ofAll, {
    ...{ '/owner/acme/allowance': 2, '/owner/codehost/acme/allowance': 2 },
  }),
  'GET /owner/:login/repos': read(ofAll, 6, {
    plans: ['', '?sort_by=default_branch.last_build:desc'],
  }),
  'GET /user': read(ofCallerInV3, { '': 3, '?include=user.emails': 4 }),
  'GET /user/:user': few(ofAll, { '/user/1': 2 }),
  'POST /user/:user/sync': write('settings', [...ownedInV3(200, 403), [403, 403, 403]]),
  'POST /user/:user/block': write('admin', ofAdministrator),
  'POST /user/:user/unblock': write('admin', ofAdministrator),
  'GET /user/:user/beta_features': few(ofSelfInV3, 2),
  'PATCH /user/:user/beta_feature/:beta_feature': write('settings', ofSelfInV3, {
    calls: '/user/{id}/beta_feature/1?enabled=true',
  }),
  'DELETE /user/:user/beta_feature/:beta_feature': write('settings', ofMemberInV3(200), {
    calls: '/user/{id}/beta_feature/2',
  }),
  ...ofAccountVariables('user'),
  'GET /orgs': read(ofCallerInV3, 4),
  'GET /org/:organization': few(ofPublic, 3),
  ...ofAccountVariables('org'),
  'POST /org/:organization/email_subscription': write('settings', ofOrganization(204)),
  'DELETE /org/:organization/email_subscription': write('settings', ofOrganization(204)),
  'GET /installation/:installation': few(ofPublic, 2),
  'GET /preferences': few(ofCallerInV3, 1),
  'GET /preference/:preference': few(ofCallerInV3, 1),
  'PATCH /preference/:preference': write('settings', ofCallerInV3, { calls: '?value=true' }),
  'GET /org/:organization/preferences': few(ofMemberInV3(200), 2),
  'GET /org/:organization/preference/:preference': few(
    ofMemberInV3(200),
    { '/org/1/preference/consume_oss_credits': 2 },
    { calls: '/org/{id}/preference/consume_oss_credits' },
  ),
  'PATCH /org/:organization/preference/:preference': write('settings', ofMemberInV3(200), {
    calls: '/org/{id}/preference/private_insights_visibility?value=private',
  }),

  // Tokens: the member has token 1, the other user token 2.
  'GET /logout': write('none', ofCallerInV3),
  'PATCH /access_token': write('none', [[400, 400, 403]], { calls: '?token=x' }),
  'DELETE /access_token': write('none', [[204, 204, 403]]),
  'GET /tokens': read(ofCallerInV3, 4),
  'POST /tokens': write('none', [[201, 201, 403]], { calls: '?name=a' }),
  'GET /token/:token': few(ownedInV3(200), 3),
  'DELETE /token/:token': write('none', ownedInV3(204)),
  'GET /repo/:repository/tokens': read(
    writtenInV3(200, 403),
    { '/repo/2/tokens': 4 },
    { role: 'admin' },
  ),
  'POST /repo/:repository/tokens': write('none', writtenInV3(201, 403), {
    ...{ calls: '?name=a', role: 'admin' },
  }),

  // The installation.
  'GET /broadcasts': read(ofCallerInV3, { '?active=true,false': 2 }),
  // Only administrators make them.
  'POST /broadcasts': write('admin', always(403), { calls: '?message=a' }),
  'GET /deliveries': read(ofAdministrator, 4, {
    selectsNothing: { 'repository.slug': 'a filter of what only administrators see' },
  }),
  'GET /delivery/:delivery': read(ofAdministrator, 4),
  'POST /delivery/:delivery/replay': write('admin', ofAdministrator),
  'GET /runners': few(ofAdministrator, 3),
  'GET /queues': few(ofAdministrator, 1),
  'GET /audit_records': read(ofAdministrator, 2, {
    selectsNothing: { 'audit_record.subject_id': 'a filter of what only administrators see' },
  }),

  // Builds and jobs.
  'GET /builds': read(ofCallerInV3, 3, { plans: ['', '?sort_by=started_at:desc'] }),
  'GET /build/:build': read(ofRecord, { '': 2, '?include=build.jobs,build.commit': 6 }),
  'GET /build/:build/jobs': read(ofRecord, 7),
  'GET /build/:build/stages': read(ofRecord, 3),
  'POST /build/:build/cancel': write('builds', changedInV3(202)),
  'POST /build/:build/restart': write('builds', changedInV3(202)),
  'POST /build/:build/restart_failed': write('builds', changedInV3(202)),
  'POST /build/:build/priority': write('builds', changedInV3(403), { role: 'no one' }),
  'GET /jobs': read(ofCallerInV3, 8, {
    plans: ['', '?state=canceled', '?active=true', '?created_by=octavia', '?sort_by=state'],
  }),
  // A job that waits has a place in the queue, which is counted over all that wait.
  'GET /job/:job': read(ofRecord, { '': 3, '/job/{finished_job}': 2 }),
  'GET /job/:job/attempts': read(ofRecord, 3),
  'GET /job/:job/log': read(ofRecord, 3),
  'GET /job/:job/log.txt': read(ofRecord, 3),
  'GET /job/:job/failure': read(ofRecord, 3),
  'GET /job/:job/log/times': read(ofRecord, 3),
  'GET /job/:job/log_parts': read(ofRecord, { '?after=1': 3 }),
  'POST /job/:job/cancel': write('builds', changedInV3(202)),
  'POST /job/:job/restart': write('builds', changedInV3(202)),
  'POST /job/:job/debug': write('builds', changedInV3(403), { role: 'no one' }),
  'DELETE /job/:job/log': write('settings', changedInV3(409)),
  // No request comes from a fork.
  'POST /request/:request/approve': write('builds', changedInV3(422)),

  // Repositories.
  'GET /repos': read(ofCallerInV3, 7, { plans: ['', '?sort_by=default_branch.last_build:desc'] }),
  'GET /repo/:repository': {
    ...byBoth(''),
    statuses: ofRepository,
    statements: {
      ...{ '/repo/1': 2, '/repo/2': 2, '/repo/acme%2Fweb': 2 },
      '/repo/2?include=repository.current_build,repository.last_started_build': 5,
      '/repo/2?include=repository.owner,build.repository,repository.current_build': 6,
      ...{ '/repo/codehost/2': 2, '/repo/codehost/acme%2Fweb': 2 },
    },
    plans: ['', '/repo/octavia%2Fhot'],
  },
  'POST /repo/:repository/activate': write('settings', writtenInV3(200, 403), byBoth('/activate')),
  'POST /repo/:repository/deactivate': write('settings', writtenInV3(200, 403), {
    ...byBoth('/deactivate'),
  }),
  'POST /repo/:repository/star': write('settings', writtenInV3(200, 200), byBoth('/star')),
  'POST /repo/:repository/unstar': write('settings', writtenInV3(200, 200), byBoth('/unstar')),
  'POST /repo/:repository/email_subscription': write('settings', writtenInV3(204, 204), {
    ...byBoth('/email_subscription'),
  }),
  'DELETE /repo/:repository/email_subscription': write('settings', writtenInV3(204, 204), {
    ...byBoth('/email_subscription'),
  }),
  'GET /repo/:repository/settings': read(
    ofRepository,
    { '/repo/2/settings': 3 },
    byBoth('/settings'),
  ),
  'GET /repo/:repository/setting/:setting': few(
    ofRepository,
    { '/repo/2/setting/build_pushes': 2 },
    byBoth('/setting/build_pushes'),
  ),
  'PATCH /repo/:repository/setting/:setting': write('settings', writtenInV3(200, 403), {
    ...byBoth('/setting/build_pushes?value=true'),
  }),
  'GET /repo/:repository/branch/:branch': {
    statuses: ofRepository,
    statements: {
      ...{ '/repo/2/branch/trunk%2Fmain': 2, '/repo/codehost/2/branch/trunk%2Fmain': 2 },
      ...{ '/repo/5/branch/next': 2, '/repo/octavia%2Flisted/branch/main': 2 },
      '/repo/codehost/octavia%2Flisted/branch/main': 2,
    },
    plans: ['', '/repo/octavia%2Fhot/branch/topic-7'],
  },
  'GET /repo/:repository/branches': {
    statuses: ofRepository,
    statements: {
      ...{ '/repo/2/branches': 4, '/repo/codehost/2/branches': 4 },
      '/repo/3/branches?include=branch.recent_builds,build.repository': 6,
    },
    plans: ['', '?sort_by=name'],
  },
  'GET /repo/:repository/builds': {
    statuses: ofRepository,
    statements: {
      ...{ '/repo/2/builds': 6, '/repo/5/builds': 6, '/repo/5/builds?representation=list': 5 },
    },
    plans: [
      ...['', '?skip_count=true&offset=1000', '?state=canceled', '?previous_state=errored'],
      ...['?event_type=push,cron', '?created_by=octavia', '?branch.name=topic-7'],
      ...['?branch.name=main&state=failed', '?sort_by=id', '?sort_by=number'],
      ...['?sort_by=created_at:desc', '?sort_by=started_at:desc', '?sort_by=finished_at'],
    ],
  },
  'GET /repo/:repository/caches': read(writtenInV3(200, 403), 3),
  'DELETE /repo/:repository/caches': write('settings', writtenInV3(200, 403)),
  'GET /repo/:repository/crons': read(ofRepository, 4),
  'GET /repo/:repository/branch/:branch/cron': few(ofRepository, 2),
  'POST /repo/:repository/branch/:branch/cron': write('settings', writtenInV3(200, 403), {
    calls: '?interval=daily',
  }),
  'GET /cron/:cron': few(ofRepository, 2, { keep: keepCron }),
  'DELETE /cron/:cron': write('settings', writtenInV3(204, 403)),
  'GET /repo/:repository/env_vars': read(writtenInV3(200, 403), 3),
  'POST /repo/:repository/env_vars': write('settings', writtenInV3(201, 403), {
    calls: '?env_var.name=FRESH',
  }),
  'GET /repo/:repository/env_var/:env_var': few(ofPusherInV3(200), 2),
  'PATCH /repo/:repository/env_var/:env_var': write('settings', ofPusherInV3(200)),
  'DELETE /repo/:repository/env_var/:env_var': write('settings', ofPusherInV3(204)),
  'GET /repo/:repository/key_pair': few(ofPusherInV3(200), 2, { keep: keepKeyPair }),
  'POST /repo/:repository/key_pair': write('settings', writtenInV3(409, 403)),
  'PATCH /repo/:repository/key_pair': write('settings', ofPusherInV3(200)),
  'DELETE /repo/:repository/key_pair': write('settings', ofPusherInV3(204)),
  'GET /repo/:repository/key_pair/generated': few(ofPusherInV3(200), 2),
  'POST /repo/:repository/key_pair/generated': write('settings', writtenInV3(201, 403), {
    role: 'admin',
  }),
  'GET /repo/:repository/notifications': read(writtenInV3(200, 403), 4, {
    ...byBoth('/notifications'),
    role: 'admin',
    selectsNothing: {
      'notification.build_id': 'a filter of what only admins of the repository see',
    },
  }),
  'GET /notification/:notification': few(writtenInV3(200, 404), 3, { role: 'admin' }),
  'POST /notification/:notification/resend': write('settings', writtenInV3(202, 404), {
    role: 'admin',
  }),
  'GET /repo/:repository/requests': read(ofRepository, 7, {
    plans: [
      ...['', '?branch=topic-7', '?result=rejected', '?state=created'],
      '?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z',
    ],
  }),
  'POST /repo/:repository/requests': write('builds', writtenInV3(202, 403), {
    selectsNothing: { 'request.sha': 'a commit at the code host, for those who can push' },
  }),
  'GET /repo/:repository/request/:request': read(ofRecord, 2),
  'GET /repo/:repository/request/:request/messages': read(ofRecord, 5),
  'GET /repo/:repository/request/:request/explain': read(ofRecord, 3),
  // No request comes from a fork.
  'POST /repo/:repository/request/:request/approve': write('builds', changedInV3(422)),
  // There is no code host to ask.
  'POST /repo/:repository/request/preview': write('builds', writtenInV3(503, 403)),
  'POST /repo/:repository/request/:preview': write('builds', writtenInV3(503, 403)),
}

/** The variables of an account: user 1 is the member and user 2 the other one; there is one organization. */
function ofAccountVariables(kind: 'user' | 'org'): Rows {
  const [path, id, ours, named] =
    kind === 'user'
      ? ['/user/:user', 5, usersVariable, '{users_variable}']
      : ['/org/:organization', 1, organizationsVariable, '{organizations_variable}']
  const ofList = (done: number) => ownedInV3(done, 403).slice(0, kind === 'user' ? 2 : 1)
  const one = `${path}/account_env_var/:account_env_var`
  const calls = `/${kind}/{id}/account_env_var/${ours}`
  return {
    [`GET ${path}/account_env_vars`]: few(ofList(200), 3),
    [`POST ${path}/account_env_vars`]: write('settings', ofList(201), {
      calls: '?account_env_var.name=FRESH',
    }),
    [`GET ${one}`]: few(
      ofMemberInV3(200),
      { [`/${kind}/${id}/account_env_var/${named}`]: 3 },
      { calls },
    ),
    [`PATCH ${one}`]: write('settings', ofMemberInV3(200), { calls }),
    [`DELETE ${one}`]: write('settings', ofMemberInV3(204), { calls }),
  }
}
