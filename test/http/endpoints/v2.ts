// The rows of V2.1. Answers are looked at in this order: one call can need what another one did.
import { keepSshKey } from './keep.ts'
import { few, read, type Rows, write } from './row.ts'
import {
  always,
  ofAll,
  ofBodiless,
  ofCaller,
  ofKnown,
  ofList,
  ofListInV2,
  ofPushable,
  ofPusher,
  ofRecord,
  ofRepository,
  ofSelf,
  written,
} from './statuses.ts'

/** Of a repository, by its id and by its slug. */
const byQuery = ['?repository_id={id}', '?slug=octavia%2Fr{id}']

/** Where a login can be handed over to, and where not. */
const ours = encodeURIComponent('https://ci.example.org/after')
const theirs = encodeURIComponent('https://evil.example/')

const variable = '/settings/env_vars/00000000-0000-4000-8000-00000000000'

export const v2: Rows = {
  'GET /': few(ofAll, 1, { open: true }),
  'GET /config': few(ofAll, 2, { open: true }),
  'GET /accounts': read(ofCaller, { '': 2, '?all=true': 2 }, { plans: '?all=true' }),
  'GET /broadcasts': read(ofCaller, 2),
  'GET /hooks': read(ofCaller, { '?all=true': 3 }, { plans: '?all=true' }),
  'GET /users': few(ofCaller, 1),
  'GET /users/:user': few(ofSelf, 1),
  'GET /users/permissions': read(ofCaller, 2),
  'PUT /users/:user': write('settings', ofSelf, {
    answers: { '?user.locale=en': 200, '?user.locale=1': 422 },
  }),
  'POST /users/sync': write('settings', ofCaller),

  'GET /repos': {
    calls: ['', '?ids={id}', '?slug=octavia%2Fr{id}'],
    statuses: ofList,
    statements: { '': 4, '?ids=1,2,3': 3, '?search=e': 3 },
    plans: [
      ...['', '?active=true', '?member=reader', '?owner_name=octavia', '?slug=octavia/hot'],
      ...['?search=c4ca42', '?ids=1,2,3'],
    ],
    answers: { '?ids=1,2': 200 },
  },
  'GET /repos/:owner': read(ofAll, 3),
  'GET /repos/:owner.xml': read(ofAll, 3),
  'GET /repos/:id': {
    statuses: ofRepository,
    statements: { '/repos/1': 2, '/repos/2': 3, '/repos/acme%2Fweb': 3, '/repos/acme/web': 3 },
  },
  'GET /repos/:id/cc': {
    statuses: ofRepository,
    statements: { '/repos/5/cc': 2, '/repos/acme/web/cc': 3 },
    plans: '',
  },
  'GET /repos/:id/cc.xml': {
    statuses: ofRepository,
    statements: {
      ...{ '/repos/5/cc.xml': 2, '/repos/5/cc.xml?branch=main': 4 },
      '/repos/acme/web/cc.xml': 3,
    },
    plans: ['', '?branch=main'],
  },
  'GET /repos/:id/builds.atom': {
    statuses: ofRepository,
    statements: { '/repos/5/builds.atom': 4, '/repos/octavia/listed/builds.atom': 4 },
  },
  'GET /repos/:id.svg': {
    statuses: ofAll,
    statements: { '/repos/5.svg': 4, '/repos/acme/web.svg': 3, '/octavia/listed.svg': 4 },
  },

  'GET /branches': {
    calls: byQuery,
    statuses: ofList,
    inV2: ofListInV2,
    statements: { '?repository_id=5': 4, '?ids=1,3': 3 },
    plans: ['?repository_id=1', '?ids=1,5,10'],
  },
  'GET /repos/:id/branches': {
    statuses: ofList,
    inV2: ofListInV2,
    statements: { '/repos/5/branches': 4, '/repos/octavia/listed/branches': 4 },
    plans: '/repos/octavia/hot/branches',
  },
  'GET /repos/:id/branches/*': {
    statuses: ofRecord,
    statements: { '/repos/5/branches/main': 3, '/repos/octavia/listed/branches/main': 3 },
    plans: '/repos/octavia/hot/branches/topic-7',
  },

  'GET /builds': {
    calls: byQuery,
    statuses: ofList,
    inV2: ofListInV2,
    statements: {
      ...{ '?repository_id=5': 4, '?repository_id=5&branches=true': 4 },
      ...{ '?ids=1,3': 3, '?running=true': 2 },
    },
    plans: [
      ...[
        ...['', '&after_number=1000', '&number=1000', '&event_type=cron', '&event_type=push,cron'],
        ...['&state=canceled', '&branch=topic-7', '&branch=main', '&branches=true'],
        ...['&pull_request=true', '&pull_request=false'],
      ].map((query) => `?repository_id=1${query}`),
      ...['?ids=1,5,10', '?running=true'],
    ],
    answers: { '?ids=1,2,3': 200, '': 400 },
    selects: { repository_id: 'repository', slug: 'slug' },
    selectsNothing: {
      number: 'a filter of builds, of the repository that is asked about by each path',
      after_number: 'the same',
    },
  },
  'GET /builds/:build': read(ofRecord, 3),
  'GET /repos/:id/builds': {
    statuses: ofList,
    inV2: ofListInV2,
    statements: { '/repos/5/builds': 4, '/repos/octavia/listed/builds': 4 },
    plans: '/repos/octavia/hot/builds',
  },
  'GET /repos/:id/builds/:build': read(ofRecord, 3, { plans: '/repos/octavia/hot/builds/5' }),
  'POST /builds/:build/restart': write('builds', written(400, 400), {
    finished: ['', written(202, 400)],
    answers: { '': [202, 400] },
  }),
  'POST /builds/:build/cancel': write('builds', written(204, 403), { answers: { '': [204, 422] } }),

  'GET /jobs': {
    calls: ['?ids={id}', '?state=created', '?queue=x'],
    statuses: ofList,
    statements: { '?ids=1,2,3,4': 3, '?state=created': 3 },
    plans: [
      ...['?ids=1,5,10', '?state=canceled', '?state=canceled,errored', '?state=passed'],
      ...['?state=started', '?state=queued', '?queue=builds.rare', '?queue=builds.linux'],
      ...['?queue=builds.none', '?queue=builds.rare&state=passed'],
    ],
  },
  'GET /jobs/:job': read(ofRecord, 3),
  'POST /jobs/:job/cancel': write('builds', written(204, 403), {
    answers: { '/jobs/3/cancel': [204, 422] },
  }),
  'POST /jobs/:job/restart': write('builds', written(400, 400), {
    finished: ['', written(202, 400)],
    answers: { '/jobs/2/restart': 202 },
  }),
  'GET /logs/:log': read(ofRecord, 3, { answers: { '?chunked': 200 } }),
  'GET /jobs/:job/log': read(ofRecord, 3),
  'GET /jobs/:job/log.txt': read(ofRecord, 3),
  'PATCH /logs/:log': write('settings', written(409, 401), {
    finished: ['', written(200, 401)],
    answers: { '': 200 },
  }),
  'PATCH /jobs/:job/log': write('settings', written(409, 401), {
    finished: ['', written(200, 401)],
    answers: { '/jobs/1/log': 409, '/jobs/2/log': 409 },
  }),

  'GET /requests': {
    calls: byQuery,
    statuses: ofRepository,
    statements: { '?repository_id=2': 3 },
    plans: ['?repository_id=1&limit=100', '?repository_id=1&older_than=1000'],
  },
  'GET /requests/:request': read(ofRecord, 3),
  'POST /requests': write('builds', written(400, 400), {
    calls: ['?build_id={id}', '?job_id={id}'],
    finished: ['?build_id={id}', written(200, 400)],
    selects: { build_id: 'build', job_id: 'job' },
  }),

  'GET /repos/:id/caches': read(ofPushable, 3, { plans: '/repos/octavia/hot/caches' }),
  'DELETE /repos/:id/caches': write('settings', ofPushable, { answers: { '': 200 } }),
  'GET /repos/:id/key': few(ofRepository, {
    ...{ '/repos/2/key': 4, '/repos/acme%2Fweb/key': 3, '/repos/acme/web/key': 3 },
  }),
  'POST /repos/:id/key': write('settings', ofPusher, {
    role: 'admin',
    statements: 7,
    answers: { '': 200 },
  }),
  'GET /repos/:id/settings': read(ofKnown, 3, { plans: '/repos/octavia/hot/settings' }),
  'PATCH /repos/:id/settings': write('settings', ofPusher, {
    statements: {
      '/repos/2/settings?settings[build_pushes]=false': 8,
      '/repos/acme/web/settings': 3,
    },
    answers: {
      '': [
        [200, { settings: { build_pushes: false } }],
        [422, { settings: { build_pushes: [] } }],
        [400, '{'],
      ],
    },
  }),
  'GET /settings/env_vars': few(ofPusher, 3, { calls: '?repository_id={id}' }),
  'POST /settings/env_vars': write('settings', ofPusher, {
    calls: '?repository_id={id}&env_var[name]=A',
    statements: { '?repository_id=2&env_var[name]=B': 8 },
    answers: {
      '?repository_id=1': [
        [200, { env_var: { name: 'A', public: true } }],
        [422, { env_var: {} }],
        [400, '{'],
      ],
    },
  }),
  'GET /settings/env_vars/:env_var': few(ofPusher, 3, { calls: ['', '?repository_id={id}'] }),
  'PATCH /settings/env_vars/:env_var': write('settings', ofPusher, {
    calls: ['', '?repository_id={id}'],
    statements: {
      ...{ [`${variable}1`]: 3, [`${variable}1?env_var[name]=B`]: 8 },
      [`/repos${variable}1?env_var[name]=C`]: 8,
    },
    answers: { '': [[200, { env_var: { public: true } }]] },
  }),
  'DELETE /settings/env_vars/:env_var': write('settings', ofPusher, {
    calls: ['', '?repository_id={id}'],
    statements: { [`${variable}2`]: 7, [`/repos${variable}3`]: 7 },
    answers: { '': [200, 404] },
  }),
  'PATCH /settings/ssh_key/:repository': write('settings', ofBodiless, {
    finished: ['?ssh_key[value]={ssh_key}', ofPusher],
    statements: { '?ssh_key[value]={ssh_key}': 7 },
    answers: {
      '': [
        [422, { ssh_key: { value: 'no key' } }],
        [400, '{'],
      ],
    },
  }),
  'GET /settings/ssh_key/:repository': few(ofPusher, 3, { keep: keepSshKey }),
  'DELETE /settings/ssh_key/:repository': write('settings', ofPusher, {
    statements: 7,
    answers: { '': 200 },
  }),
  'PUT /hooks': write('settings', ofPushable, {
    calls: '?hook[id]={id}',
    role: 'admin',
    statements: 6,
    selects: { 'hook.id': 'repository', id: 'repository' },
  }),
  'PUT /hooks/:hook': write('settings', ofPushable, {
    role: 'admin',
    statements: { '?hook[active]=true': 9 },
    answers: { '?hook[active]=true': 200, '/hooks/9': 404 },
  }),

  'POST /lint': write('none', ofAll, {
    calls: '?content=script:',
    open: true,
    statements: 1,
    answers: { '?content=scirpt:': 200 },
  }),
  'PUT /lint': write('none', ofAll, {
    calls: '?content=script:',
    open: true,
    statements: 1,
    answers: { '?content=scirpt:': 200 },
  }),
  'POST /streaming/auth': write('none', ofAll, {
    calls: '?socket_id=1.2',
    open: true,
    statements: { '?socket_id=1.2&channels=private-job-1,private-repo-2,private-repo-1': 3 },
    answers: { '?socket_id=1.2&channels=job-1': 200 },
    selectsNothing: { socket_id: 'a connection of the caller' },
  }),
  'POST /auth/codehost': write('none', always(422), { open: true, answers: { '': 422 } }),
  'GET /auth/handshake': {
    statuses: always(302),
    open: true,
    answers: { '': 302, [`?redirect_uri=${ours}`]: 200, [`?redirect_uri=${theirs}`]: 401 },
  },
  'GET /auth/handshake/:provider': {
    statuses: always(302),
    open: true,
    answers: { '': 302, '/auth/handshake/local': 200, '/auth/handshake/nope': 404 },
  },
  'POST /auth/handshake': write('none', always(403), {
    open: true,
    answers: { '': 403, [`?redirect_uri=${theirs}`]: 401 },
  }),
  'GET /auth/insufficient_access': { statuses: ofAll, open: true, answers: { '': 200 } },
  'GET /auth/post_message': {
    statuses: always(403),
    open: true,
    answers: { '': 403, [`?origin=${ours}`]: 200 },
  },
  'GET /auth/post_message/iframe': {
    statuses: always(403),
    open: true,
    answers: { '': 403, [`?origin=${ours}`]: 200 },
  },
  'POST /auth/post_message': write('none', always(403), { open: true, answers: { '': 403 } }),
  'GET /logout': write('none', ofCaller),
  'GET /unsubscribe/:link': few(always(404), 4, {
    inV2: always(404),
    open: true,
    answers: { '/unsubscribe/x': 404 },
  }),
  'POST /unsubscribe/:link': write('none', always(404), {
    inV2: always(404),
    open: true,
    answers: { '/unsubscribe/x': 404 },
  }),
}
