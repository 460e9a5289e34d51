import { describe, expect, test } from 'vitest'
import { anonymous, type Viewer } from '../../../src/access/viewer.ts'
import {
  insufficientAccess,
  loginRequired,
  methodNotAllowed,
  notAcceptable,
  notFound,
  ServiceError,
  wrongCredentials,
  wrongParams,
} from '../../../src/domain/errors.ts'
import { presentError, serverError } from '../../../src/http/v3/core/present-error.ts'
import { roles, seen, viewer } from '../../access/records.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'

const ctx = testContext((await ownDatabase()).db)
const href = (path: string) => `/ci${path}`

async function presented(error: ServiceError, as: Viewer = anonymous) {
  const { status, body } = await presentError(error, { ctx, viewer: as, href, writes: true })
  return { status, body }
}

const error = (error_type: string, error_message: string, more = {}) => ({
  '@type': 'error',
  error_type,
  error_message,
  ...more,
})

describe('an error reports', () => {
  test.each<[string, ServiceError, number, object]>([
    ['that a login is needed', loginRequired(), 403, error('login_required', 'login required')],
    ['that a token is wrong', wrongCredentials(), 403, error('wrong_credentials', 'access denied')],
    [
      'that a path is unknown',
      notFound(),
      404,
      error('not_found', 'resource not found (or insufficient access)', { resource_type: null }),
    ],
    [
      'that a record is missing or hidden',
      notFound('build'),
      404,
      error('not_found', 'build not found (or insufficient access)', { resource_type: 'build' }),
    ],
    [
      'that a path does not support the method',
      methodNotAllowed(),
      405,
      error('method_not_allowed', 'method not allowed'),
    ],
    ['that a parameter is wrong', wrongParams('no x'), 400, error('wrong_params', 'no x')],
    [
      'that no accepted type is available',
      notAcceptable(),
      400,
      error('client_error', 'nothing acceptable'),
    ],
    [
      'that there were too many requests',
      new ServiceError('too_many_requests', 'slow down'),
      429,
      error('too_many_requests', 'slow down'),
    ],
    [
      'that an action cannot be carried out',
      new ServiceError('unprocessable_entity', 'not so'),
      422,
      error('unprocessable_entity', 'not so'),
    ],
    [
      'that a record already exists',
      new ServiceError('duplicate_resource', 'twice'),
      409,
      error('duplicate_resource', 'twice'),
    ],
  ])('%s', async (_what, given, status, body) => {
    expect(await presented(given)).toEqual({ status, body })
  })

  test('that something went wrong, without details', () => {
    const { status, body } = serverError()
    expect([status, body]).toEqual([500, error('server_error', 'internal server error')])
  })
})

describe('a missing right', () => {
  const shown = {
    '@type': 'repository',
    '@href': '/ci/repo/1',
    '@representation': 'minimal',
    id: 1,
    name: 'hello',
    slug: 'octavia/hello',
  }

  test('is reported as the right to write, to a user without write access', async () => {
    const refused = insufficientAccess('repository', 'activate', seen({ role: roles.pull }))
    expect(await presented(refused, viewer)).toEqual({
      status: 403,
      body: error('insufficient_access', 'operation requires write access to repository', {
        permission: 'write',
        resource_type: 'repository',
        repository: {
          ...shown,
          '@permissions': expect.objectContaining({ read: true, write: false, star: true }),
        },
      }),
    })
  })

  test('is reported as the exact right, to a user with write access', async () => {
    const refused = insufficientAccess('repository', 'admin', seen({ role: roles.push }))
    expect(await presented(refused, viewer)).toEqual({
      status: 403,
      body: error('insufficient_access', 'operation requires admin access to repository', {
        permission: 'admin',
        resource_type: 'repository',
        repository: {
          ...shown,
          '@permissions': expect.objectContaining({ write: true, admin: false }),
        },
      }),
    })
  })

  test('is reported without the record, if the record is not shown', async () => {
    expect(await presented(insufficientAccess('cron', 'delete'), viewer)).toEqual({
      status: 403,
      body: error('insufficient_access', 'operation requires delete access to cron', {
        permission: 'delete',
        resource_type: 'cron',
      }),
    })
  })
})
