// The rows of pages.
import { type Rows, write } from './row.ts'
import { always, ofAll, ofCaller, ofRecord, ofRepository, written } from './statuses.ts'

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
  'POST /:owner/:name/builds/:build/approve': write('builds', written(422, 403)),
  'GET /:owner/:name/builds/:build/cancel': { statuses: written(200, 403) },
  'POST /:owner/:name/builds/:build/cancel': write('builds', written(303, 403)),
  'POST /:owner/:name/builds/:build/restart': write('builds', written(303, 403)),
  'POST /:owner/:name/builds/:build/restart_failed': write('builds', written(303, 403)),
  'POST /:owner/:name/jobs/:job/cancel': write('builds', written(303, 403)),
  'POST /:owner/:name/jobs/:job/restart': write('builds', written(303, 403)),
}
