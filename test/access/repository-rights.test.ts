import { describe, expect, test } from 'vitest'
import { repositoryRights } from '../../src/access/repository-rights.ts'
import { anonymous, permittedUser } from '../../src/access/viewer.ts'
import { roles, seen, viewer } from './records.ts'

type Seeing = Parameters<typeof repositoryRights>

const reading = ['read', 'settings_read', 'log_view']
const starring = ['star', 'unstar']
const pushing = [
  ...['write', 'activate', 'deactivate', 'create_request', 'create_cron', 'create_env_var'],
  ...['create_key_pair', 'delete_key_pair', 'settings_create', 'settings_update'],
  ...['settings_delete', 'build_create', 'build_restart', 'build_cancel', 'log_delete'],
  ...['cache_view', 'cache_delete', 'check_scan_results'],
]

function granted(...[viewer, repository]: Seeing): string[] {
  const rights = Object.entries(repositoryRights(viewer, repository))
  return rights.flatMap(([right, isGranted]) => (isGranted ? right : [])).toSorted()
}

describe('what may be done with a repository', () => {
  test.each([
    ['a public one, by no one in particular', anonymous, seen({}), reading],
    ['a public one, by a stranger', viewer, seen({}), [...reading, ...starring]],
    ['a public one, with pull', viewer, seen({ role: roles.pull }), [...reading, ...starring]],
    [
      'a public one, with push',
      viewer,
      seen({ role: roles.push }),
      [...reading, ...starring, ...pushing],
    ],
    [
      'a public one, by an admin',
      viewer,
      seen({ role: roles.admin }),
      [...reading, ...starring, ...pushing, 'admin'],
    ],
    ['a private one, by no one in particular', anonymous, seen({ private: true }), []],
    ['a private one, by a stranger', viewer, seen({ private: true }), []],
    [
      'a private one, with pull',
      viewer,
      seen({ private: true, role: roles.pull }),
      [...reading, ...starring],
    ],
    [
      'a private one, with push',
      viewer,
      seen({ private: true, role: roles.push }),
      [...reading, ...starring, ...pushing],
    ],
  ])('%s', (_who, viewer, repository, rights) => {
    expect(granted(viewer, repository)).toEqual(rights.toSorted())
  })

  test('there are 26 rights, all of them yes or no', () => {
    const rights = Object.values(repositoryRights(anonymous, seen({})))
    expect(rights.map((right) => typeof right)).toEqual(Array.from({ length: 26 }, () => 'boolean'))
  })
})

test('permissions count only for tokens with the scope private', () => {
  expect(permittedUser(viewer)).toBe(7)
  expect(permittedUser({ ...viewer, scopes: ['public'] })).toBeUndefined()
  expect(permittedUser(anonymous)).toBeUndefined()
})
