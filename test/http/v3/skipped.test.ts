import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import { missing } from './build-scene.ts'
import { makeWorld } from './world.ts'

const { db } = await ownDatabase()
const call = caller(await createServer(testContext(db)))

// Of one who administers all that there is, so that no path is missing for want of a right.
let token = ''
beforeAll(async () => {
  ;({ token } = (await makeWorld(db)).people.admin)
})

async function answerTo(method: string, path: string) {
  const headers = { 'service-api-version': '3', authorization: `token ${token}` }
  const answer = await call(`${method} ${path}`, headers)
  const { allow } = answer.headers
  const body = answer.body === '' ? null : answer.json<unknown>()
  return { status: answer.statusCode, body, ...(allow === undefined ? {} : { allow }) }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Paths of what the original serves besides, and this service does not. */
const skipped = [
  ...['/subscriptions', '/subscription/1', '/subscription/1/cancel', '/v2_subscriptions'],
  ...['/v2_subscription/1', '/trials', '/trial/1', '/plans', '/plans_for/user'],
  ...['/plans_for/organization/1', '/coupons/x', '/credits_calculator'],
  ...['/owner/codehost/acme/executions', '/owner/codehost_id/1/executions'],
  ...['/owner/codehost/acme/executions_per_repo', '/owner/codehost/acme/csv_exports'],
  ...['/owner/codehost/acme/custom_images', '/owner/codehost/acme/user_activity'],
  ...['/insights', '/insights/events', '/scan_result/1', '/repo/1/scan_results'],
  ...['/repo/codehost/1/scan_results', '/build_backups', '/build_backup/1'],
  ...['/gdpr/export', '/gdpr/purge', '/storage/1', '/enterprise_license'],
  ...['/queues/statistics', '/queue/builds.linux', '/beta_migration_requests'],
  ...['/user/1/beta_migration_request', '/user/1/beta_migration_requests'],
  ...['/repo/1/migrate', '/repo/octavia%2Fhello/migrate', '/repo/1/update'],
  ...['/repo_vcs/1', '/repo_vcs/codehost/1', '/users/suspend', '/users/unsuspend'],
  ...['/user/1/suspend', '/org/1/suspend', '/org/1/user_activity'],
  ...['/org/1/update_billing_permission', '/org/1/build_permissions'],
  ...['/repo/1/build_permissions', '/custom_keys', '/custom_key/1'],
  ...['/account_env_var', '/account_env_vars', '/account_env_var/1'],
]

const notAllowed = {
  status: 405,
  body: { '@type': 'error', error_type: 'method_not_allowed', error_message: 'method not allowed' },
}

describe.each(skipped)('%s', (path) => {
  test.each(methods)('is an unknown path for %s', async (method) => {
    const { status, body } = missing(null)
    expect(await answerTo(method, path)).toEqual({ status, body: method === 'HEAD' ? null : body })
  })
})

// What is not done at a path that there is for others is told as such, with what is.
test.each(['/user', '/repo/1', '/repo/octavia%2Fhello'])(
  '%s cannot be written to',
  async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await answerTo(method, path)).toEqual({ ...notAllowed, allow: 'GET, HEAD' })
    }
  },
)

// The short form is that of an owner: a provider `acme`, and at it the login `executions`.
test.each(['executions', 'csv_exports', 'custom_images'])(
  '/owner/acme/%s looks like a missing owner, and cannot be written to',
  async (name) => {
    expect(await answerTo('GET', `/owner/acme/${name}`)).toEqual(missing('owner'))
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await answerTo(method, `/owner/acme/${name}`)).toEqual({
        ...notAllowed,
        allow: 'GET, HEAD',
      })
    }
  },
)
