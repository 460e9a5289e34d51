// The rows of pages.
import { type Rows, write } from './row.ts'
import {
  always,
  ofAll,
  ofCaller,
  ofPushable,
  ofRecord,
  type OfRecords,
  ofRepository,
  written,
} from './statuses.ts'

/** The statuses of a form about a repository. */
const ofForm = (done: number): OfRecords => [
  [done, 403, 401],
  [done, 404, 401],
  [done, 403, 401],
  [done, 404, 401],
  [404, 404, 401],
]

const variableDelete = '/octavia/r{id}/variables/00000000-0000-4000-8000-00000000000{id}/delete'

export const pages: Rows = {
  'GET /': { statuses: ofAll },
  'GET /docs': { statuses: ofAll, open: true },
  'GET /docs/lint': { statuses: ofAll, open: true },
  'GET /docs/lint/:code': { statuses: ofAll, open: true },
  'GET /docs/v2.1': { statuses: ofAll, open: true },
  'GET /docs/v3': { statuses: ofAll, open: true },
  'GET /docs/v3/:resource': { statuses: ofAll, open: true },
  'GET /docs/v3/:resource/:action': { statuses: ofAll, open: true },
  'POST /docs/v3/:resource/:action': write('none', ofAll, { open: true }),
  'GET /login': { statuses: [[303, 303, 200]], open: true },
  'POST /logout': write('none', [[303, 303, 401]]),
  'GET /queue': { statuses: ofAll },
  'GET /profile': { statuses: ofCaller },
  // The form has no name.
  'POST /profile/tokens': write('none', [[422, 422, 401]]),
  // The member has token 1, the other user token 2.
  'POST /profile/tokens/:token/revoke': write('none', [
    [303, 404, 401],
    [404, 303, 401],
  ]),
  'POST /profile/feed_token': write('none', ofCaller),
  'POST /profile/revoke_all': write('none', [[303, 303, 401]]),
  'POST /profile/sync': write('settings', [[303, 303, 401]]),
  'GET /lint': { statuses: ofAll, open: true },
  'GET /lint/check': { statuses: ofAll, open: true },
  'POST /lint/check': write('none', ofAll, { open: true }),
  // There is no app to set up.
  'GET /setup': { statuses: always(404), open: true },
  'GET /setup/callback': { statuses: always(404), open: true },
  'POST /setup/app': write('none', always(404), { open: true }),
  'GET /:owner/:name': { statuses: ofRepository },
  'GET /:owner/:name/builds/:build': { statuses: ofRecord },
  'GET /:owner/:name/jobs/:job': { statuses: ofRecord },
  // None of these builds needs an approval.
  'POST /:owner/:name/requests/:request/approve': write('builds', written(422, 403)),
  'POST /:owner/:name/builds/:build/approve': write('builds', written(422, 403)),
  'GET /:owner/:name/build_now': { statuses: ofPushable },
  // The form has no name of a branch.
  'POST /:owner/:name/build_now': write('builds', ofForm(422)),
  'GET /:owner/:name/settings': { statuses: ofPushable },
  // The form names no group.
  'POST /:owner/:name/settings': write('settings', ofForm(404)),
  'GET /:owner/:name/variables': { statuses: ofPushable },
  // The form has no name.
  'POST /:owner/:name/variables': write('settings', ofForm(422)),
  'GET /:owner/:name/variables/:variable/delete': { calls: variableDelete, statuses: ofPushable },
  'POST /:owner/:name/variables/:variable/delete': write('settings', ofForm(303), {
    calls: variableDelete,
  }),
  'GET /:owner/:name/keys': { statuses: ofPushable },
  // The form has no key.
  'POST /:owner/:name/keys': write('settings', ofForm(422)),
  'POST /:owner/:name/keys/delete': write('settings', ofForm(303)),
  'GET /:owner/:name/crons': { statuses: ofPushable },
  // The form names no branch.
  'POST /:owner/:name/crons': write('settings', ofForm(422)),
  'POST /:owner/:name/crons/:cron/delete': write('settings', ofForm(303)),
  'GET /:owner/:name/builds/:build/cancel': { statuses: written(200, 403) },
  'POST /:owner/:name/builds/:build/cancel': write('builds', written(303, 403)),
  'POST /:owner/:name/builds/:build/restart': write('builds', written(303, 403)),
  'POST /:owner/:name/builds/:build/restart_failed': write('builds', written(303, 403)),
  'POST /:owner/:name/jobs/:job/cancel': write('builds', written(303, 403)),
  'POST /:owner/:name/jobs/:job/restart': write('builds', written(303, 403)),
}
