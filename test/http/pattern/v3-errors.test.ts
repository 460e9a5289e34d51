import { beforeAll, describe, expect, test } from 'vitest'
import { anonymous } from '../../../src/access/viewer.ts'
import { type ErrorKind, ServiceError } from '../../../src/domain/errors.ts'
import { inside } from '../../../src/http/core/endpoint.ts'
import { createServer } from '../../../src/http/server.ts'
import { get } from '../../../src/http/v3/core/action.ts'
import { errorNameOf, errorTypes } from '../../../src/http/v3/core/errors.ts'
import { v3 } from '../../../src/http/v3/core/mount.ts'
import { presentError } from '../../../src/http/v3/core/present-error.ts'
import { as } from '../../../src/http/v3/core/presented.ts'
import { oneRepository } from '../../../src/http/v3/records/one-repository.ts'
import { branch } from '../../../src/http/v3/resources/branch.ts'
import { findBranch } from '../../../src/store/repositories/branches.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { conflictActions } from './conflict-trial.ts'
import { smallApi } from './small-api.ts'

const { db } = await ownDatabase()
const ctx = testContext(db)
const call = caller(await createServer(ctx))
const callTrial = await smallApi(
  ctx,
  v3,
  conflictActions.map(({ endpoint }) => endpoint),
)

let pusher: Record<string, string>
let stranger: Record<string, string>

// Repository 1 is active, repository 2 is not; both are public.
beforeAll(async () => {
  const make = factories(db)
  const active = await make.repository()
  const inactive = await make.repository({ name: 'asleep', active: false })
  const [one, two] = [await make.user(), await make.user()]
  await make.permission(one, active, 'push')
  await make.permission(one, inactive, 'push')
  const headers = { 'service-api-version': '3' }
  pusher = { ...headers, authorization: `token ${one.token}` }
  stranger = { ...headers, authorization: `token ${two.token}` }
})

const shown = (id: number, name: string) => ({
  '@type': 'repository',
  '@href': `/repo/${id}`,
  '@representation': 'minimal',
  '@permissions': expect.objectContaining({ read: true, write: true }),
  id,
  name,
  slug: `octavia/${name}`,
})

describe('an error', () => {
  test('uses the name of the type for errors', async () => {
    const missing = await call('GET /repo/1/setting/colour', pusher)
    expect([missing.statusCode, missing.json()]).toEqual([
      404,
      {
        '@type': 'error',
        error_type: 'not_found',
        error_message: 'user_setting not found (or insufficient access)',
        resource_type: 'user_setting',
      },
    ])
    const refused = await call('PATCH /repo/1/setting/build_pushes?value=0', stranger)
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      {
        '@type': 'error',
        error_type: 'insufficient_access',
        error_message: 'operation requires write access to user_setting',
        permission: 'write',
        resource_type: 'user_setting',
        user_setting: {
          '@type': 'setting',
          '@href': '/repo/1/setting/build_pushes',
          '@representation': 'minimal',
          '@permissions': { read: true, write: false },
          name: 'build_pushes',
          value: true,
        },
      },
    ])
  })

  test('shows the record that does not allow the call, and its limits', async () => {
    const asleep = await callTrial('POST /repo/2/conflict', pusher)
    expect([asleep.statusCode, asleep.json()]).toEqual([
      406,
      {
        '@type': 'error',
        error_type: 'repository_inactive',
        error_message: 'it is inactive',
        repository: shown(2, 'asleep'),
      },
    ])
    const limited = await callTrial('POST /repo/1/conflict', pusher)
    expect([limited.statusCode, limited.json()]).toEqual([
      429,
      {
        '@type': 'error',
        error_type: 'request_limit_reached',
        error_message: 'too many',
        repository: shown(1, 'hello'),
        max_requests: 10,
        per_seconds: 3600,
      },
    ])
  })

  test('reports the level at which a nested lookup failed', async () => {
    const inBranch = inside(oneRepository, {
      type: 'branch',
      rights: branch.rights,
      async find({ params }, repository) {
        const found = await findBranch(db, repository, params.branch ?? '')
        return found && { ...found, repository }
      },
    })
    const { endpoint } = get('/repo/{repository.id}/branch/{branch.name}/cron', {
      type: 'cron',
      within: inBranch,
      find: async (_call, { name }) => (name === 'none' ? { id: 1 } : undefined),
      rights: () => ({ read: true }),
      right: 'read',
      present: as('minimal', branch as never),
    })
    const nested = await smallApi(ctx, v3, [endpoint])
    const failedAt = async (path: string) =>
      (await nested(`GET ${path}`, pusher)).json<{ resource_type: string }>().resource_type
    expect(await failedAt('/repo/9/branch/main/cron')).toBe('repository')
    expect(await failedAt('/repo/1/branch/missing/cron')).toBe('branch')
    expect(await failedAt('/repo/1/branch/main/cron')).toBe('cron')
  })

  test('of a body that is too large has the status in the home document', async () => {
    const large = Buffer.alloc(256 * 1024 + 1, 'x')
    const refused = await call('POST /lint', pusher, large)
    const { errors } = (await call('GET /', pusher)).json<{ errors: typeof errorTypes }>()
    const name = refused.json<{ error_type: keyof typeof errorTypes }>().error_type
    expect([refused.statusCode, errors[name].status]).toEqual([413, 413])
  })
})

/** Every kind that can be thrown, with the status and the name that it has in V3. */
const kinds: Record<ErrorKind, [status: number, name: string]> = {
  admin_access_required: [403, 'admin_access_required'],
  already_syncing: [409, 'already_syncing'],
  build_already_running: [409, 'build_already_running'],
  build_not_cancelable: [409, 'build_not_cancelable'],
  client_error: [400, 'client_error'],
  duplicate_resource: [409, 'duplicate_resource'],
  insufficient_access: [403, 'insufficient_access'],
  job_already_running: [409, 'job_already_running'],
  job_not_cancelable: [409, 'job_not_cancelable'],
  job_unfinished: [409, 'job_unfinished'],
  not_restartable: [422, 'unprocessable_entity'],
  log_access_denied: [403, 'log_access_denied'],
  log_already_removed: [409, 'log_already_removed'],
  log_expired: [403, 'log_expired'],
  login_required: [403, 'login_required'],
  method_not_allowed: [405, 'method_not_allowed'],
  not_acceptable: [400, 'client_error'],
  not_found: [404, 'not_found'],
  not_implemented: [501, 'not_implemented'],
  private_repo_feature: [403, 'private_repo_feature'],
  repo_ssh_key_missing: [409, 'repo_ssh_key_missing'],
  repository_inactive: [406, 'repository_inactive'],
  request_limit_reached: [429, 'request_limit_reached'],
  source_unknown: [400, 'source_unknown'],
  timeout_error: [504, 'timeout_error'],
  too_costly: [422, 'unprocessable_entity'],
  too_large: [413, 'payload_too_large'],
  too_many_requests: [429, 'too_many_requests'],
  unavailable: [503, 'service_unavailable'],
  unprocessable_entity: [422, 'unprocessable_entity'],
  wrong_credentials: [403, 'wrong_credentials'],
  wrong_params: [400, 'wrong_params'],
}

test.each(Object.entries(kinds) as [ErrorKind, [number, string]][])(
  'the kind %s is the error %j',
  async (kind, [status, name]) => {
    const view = { ctx, viewer: anonymous, href: (path: string) => path, writes: true }
    const { status: sent, body } = await presentError(new ServiceError(kind, 'so'), view)
    expect([sent, body]).toEqual([
      status,
      expect.objectContaining({ '@type': 'error', error_type: name, error_message: 'so' }),
    ])
    expect(errorTypes[errorNameOf(kind)].status).toBe(status)
  },
)

test('every error in the home document except a bug can be thrown', () => {
  const thrown = new Set(Object.values(kinds).map(([, name]) => name))
  const others = Object.keys(errorTypes).filter((name) => !thrown.has(name))
  expect(others).toEqual(['server_error'])
})
