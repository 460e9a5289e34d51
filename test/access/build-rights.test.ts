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

describe('a build, job or request is seen', () => {
  test.each<[string, Viewer, RepositoryRecord, boolean]>([
    ['by everybody when it and its repository are public', anonymous, open, true],
    ['by no stranger when it was made in private', viewer, hiddenItself, false],
    ['by no stranger when its repository is private now', viewer, hiddenByRepository, false],
    ['with a role, when it was made in private', viewer, withRole(hiddenItself, 'pull'), true],
    ['with a role, in private', viewer, withRole(hiddenByRepository, 'pull'), true],
  ])('%s', (_when, viewer, made, isSeen) => {
    expect(isVisible(made.repository, made)).toBe(isSeen)
    expect(requestRights(viewer, made).read).toBe(isSeen)
  })
})

const nothing = { read: false, write: false, cancel: false, restart: false, prioritize: false }

describe('what may be done with a build', () => {
  test.each<[string, Viewer, RepositoryRecord, ReturnType<typeof buildRights>]>([
    ['by no one in particular', anonymous, open, { ...nothing, read: true }],
    ['with pull', viewer, withRole(open, 'pull'), { ...nothing, read: true }],
    [
      'with push',
      viewer,
      withRole(hiddenItself, 'push'),
      { read: true, write: true, cancel: true, restart: true, prioritize: false },
    ],
    ['when it is hidden', viewer, hiddenItself, nothing],
  ])('%s', (_who, viewer, made, rights) => {
    expect(buildRights(viewer, made)).toEqual(rights)
  })
})

describe('what may be done with a job and its log', () => {
  test.each<[string, Viewer, RepositoryRecord, object]>([
    ['by no one in particular', anonymous, open, { view_log: true, delete_log: false }],
    ['with pull', viewer, withRole(open, 'pull'), { view_log: true, delete_log: false }],
    ['with push', viewer, withRole(open, 'push'), { view_log: true, delete_log: true }],
    ['when it is hidden', viewer, hiddenItself, { view_log: false, delete_log: false }],
  ])('%s', (_who, viewer, made, rights) => {
    expect(jobRights(viewer, made)).toEqual({
      ...buildRights(viewer, made),
      debug: false,
      ...rights,
    })
  })
})

test('a request is written to with push', () => {
  expect(requestRights(viewer, withRole(open, 'push'))).toEqual({ read: true, write: true })
  expect(requestRights(viewer, withRole(open, 'pull'))).toEqual({ read: true, write: false })
})
