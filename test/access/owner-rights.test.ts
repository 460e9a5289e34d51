import { expect, test } from 'vitest'
import {
  organizationRights,
  type SeenOrganization,
  userRights,
} from '../../src/access/owner-rights.ts'
import { anonymous, type Viewer } from '../../src/access/viewer.ts'
import type { User } from '../../src/domain/owner.ts'
import { viewer } from './records.ts'

test.each<[string, Viewer, number, ReturnType<typeof userRights>]>([
  ['by themselves', viewer, 7, { read: true, write: true, sync: true }],
  ['by another user', viewer, 8, { read: true, write: false, sync: false }],
  ['by an anonymous viewer', anonymous, 7, { read: true, write: false, sync: false }],
])('what can be done with a user %s', (_who, viewer, id, rights) => {
  expect(userRights(viewer, { id, codehost_id: id, login: 'octavia' })).toEqual(rights)
})

test('the user of a repository token is visible only to that user', () => {
  const user = { id: 8, codehost_id: null, login: 'token-6[bot]' }
  const nothing = { read: false, write: false, sync: false }
  expect(userRights(viewer, user)).toEqual(nothing)
  const own = { ...viewer, user: { ...(viewer.user as User), ...user } }
  expect(userRights(own, user)).toEqual({ ...nothing, read: true })
})

test.each<[SeenOrganization['membership'], string[]]>([
  [null, ['read']],
  ['member', ['read', 'settings_create', 'settings_delete']],
  ['admin', ['read', 'write', 'sync', 'admin', 'settings_create', 'settings_delete']],
])('the rights to an organization with the membership %s', (membership, granted) => {
  const rights = organizationRights(viewer, { membership } as SeenOrganization)
  expect(Object.keys(rights)).toHaveLength(12)
  expect(Object.entries(rights).flatMap(([right, yes]) => (yes ? right : []))).toEqual(granted)
})
