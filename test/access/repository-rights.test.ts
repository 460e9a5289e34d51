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

describe('the rights', () => {
  test.each([
    ['to a public repository for an anonymous viewer', anonymous, seen({}), reading],
    ['to a public repository for a stranger', viewer, seen({}), [...reading, ...starring]],
    [
      'to a public repository with pull',
      viewer,
      seen({ role: roles.pull }),
      [...reading, ...starring],
    ],
    [
      'to a public repository with push',
      viewer,
      seen({ role: roles.push }),
      [...reading, ...starring, ...pushing],
    ],
    [
      'to a public repository for an admin',
      viewer,
      seen({ role: roles.admin }),
      [...reading, ...starring, ...pushing, 'admin'],
    ],
    ['to a private repository for an anonymous viewer', anonymous, seen({ private: true }), []],
    ['to a private repository for a stranger', viewer, seen({ private: true }), []],
    [
      'to a private repository with pull',
      viewer,
      seen({ private: true, role: roles.pull }),
      [...reading, ...starring],
    ],
    [
      'to a private repository with push',
      viewer,
      seen({ private: true, role: roles.push }),
      [...reading, ...starring, ...pushing],
    ],
  ])('%s', (_who, viewer, repository, rights) => {
    expect(granted(viewer, repository)).toEqual(rights.toSorted())
  })

  test('there are 26 rights, and each is true or false', () => {
    const rights = Object.values(repositoryRights(anonymous, seen({})))
    expect(rights.map((right) => typeof right)).toEqual(Array.from({ length: 26 }, () => 'boolean'))
  })
})

test('permissions count only for tokens with the scope `private`', () => {
  expect(permittedUser(viewer)).toBe(7)
  expect(permittedUser({ ...viewer, scopes: ['public'] })).toBeUndefined()
  expect(permittedUser(anonymous)).toBeUndefined()
})
