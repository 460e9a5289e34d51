import { describe, expect, test } from 'vitest'
import { buildRights, jobRights, requestRights } from '../../src/access/build-rights.ts'
import { anonymous, type Viewer } from '../../src/access/viewer.ts'
import { isVisible, type RepositoryRecord } from '../../src/access/visibility.ts'
import { roles, seen, viewer } from './records.ts'

const open: RepositoryRecord = { private: false, repository: seen({}) }
const hiddenItself: RepositoryRecord = { private: true, repository: seen({}) }
const hiddenByRepository: RepositoryRecord = { private: false, repository: seen({ private: true }) }

function withRole(made: RepositoryRecord, role: keyof typeof roles): RepositoryRecord {
  return { ...made, repository: { ...made.repository, role: roles[role] } }
}

describe('a build, job or request is visible', () => {
  test.each<[string, Viewer, RepositoryRecord, boolean]>([
    ['to everyone if it and its repository are public', anonymous, open, true],
    ['to no stranger if it was made in private', viewer, hiddenItself, false],
    ['to no stranger if its repository is private now', viewer, hiddenByRepository, false],
    [
      'to a user with a role if it was made in private',
      viewer,
      withRole(hiddenItself, 'pull'),
      true,
    ],
    [
      'to a user with a role if its repository is private now',
      viewer,
      withRole(hiddenByRepository, 'pull'),
      true,
    ],
  ])('%s', (_when, viewer, made, isSeen) => {
    expect(isVisible(made.repository, made)).toBe(isSeen)
    expect(requestRights(viewer, made).read).toBe(isSeen)
  })
})

const nothing = { read: false, write: false, cancel: false, restart: false, prioritize: false }

describe('the rights to a build', () => {
  test.each<[string, Viewer, RepositoryRecord, ReturnType<typeof buildRights>]>([
    ['of an anonymous viewer', anonymous, open, { ...nothing, read: true }],
    ['of a user with pull', viewer, withRole(open, 'pull'), { ...nothing, read: true }],
    [
      'of a user with push',
      viewer,
      withRole(hiddenItself, 'push'),
      { read: true, write: true, cancel: true, restart: true, prioritize: false },
    ],
    ['of a stranger if it is hidden', viewer, hiddenItself, nothing],
  ])('%s', (_who, viewer, made, rights) => {
    expect(buildRights(viewer, made)).toEqual(rights)
  })
})

describe('the rights to a job and its log', () => {
  test.each<[string, Viewer, RepositoryRecord, object]>([
    ['of an anonymous viewer', anonymous, open, { view_log: true, delete_log: false }],
    ['of a user with pull', viewer, withRole(open, 'pull'), { view_log: true, delete_log: false }],
    ['of a user with push', viewer, withRole(open, 'push'), { view_log: true, delete_log: true }],
    ['of a stranger if it is hidden', viewer, hiddenItself, { view_log: false, delete_log: false }],
  ])('%s', (_who, viewer, made, rights) => {
    expect(jobRights(viewer, made)).toEqual({
      ...buildRights(viewer, made),
      debug: false,
      ...rights,
    })
  })
})

test('a request can be changed with push only', () => {
  expect(requestRights(viewer, withRole(open, 'push'))).toEqual({ read: true, write: true })
  expect(requestRights(viewer, withRole(open, 'pull'))).toEqual({ read: true, write: false })
})
