import { expect, test } from 'vitest'
import { commitRange, isFromFork, pullRequestNumber } from '../../src/domain/commit/commit.ts'
import { readRef } from '../../src/domain/event.ts'

test.each([
  ['refs/heads/main', { kind: 'branch', name: 'main' }],
  ['refs/heads/feature/a', { kind: 'branch', name: 'feature/a' }],
  ['refs/tags/v1', { kind: 'tag', name: 'v1' }],
  ['refs/notes/commits', { kind: 'other', name: 'refs/notes/commits' }],
])('%s', (ref, read) => {
  expect(readRef(ref)).toEqual(read)
})

test.each([
  ['https://host/o/n/compare/abc123...def456', 'abc123...def456'],
  ['https://host/o/n/compare/abc123^...def456', 'abc123^...def456'],
  ['https://host/o/n/commit/abc123', null],
  ['https://host/o/n/compare/main...feature', null],
  [null, null],
])('the commit range in %s is %s', (compare_url, range) => {
  expect(commitRange({ compare_url })).toBe(range)
})

test('a pull request is recognized by its ref', () => {
  expect(pullRequestNumber({ ref: 'refs/pull/17/merge' })).toBe(17)
  expect(pullRequestNumber({ ref: 'refs/heads/pull/17/x' })).toBeNull()
})

test.each([
  ['the same repository', {}, false],
  ['another repository', { head_repository_codehost_id: 2 }, true],
  ['a deleted fork', { head_repository_codehost_id: null }, true],
])('a pull request from %s', (_what, changes, fork) => {
  const pull = { head_repository_codehost_id: 1 }
  expect(isFromFork({ ...pull, ...changes }, { codehost_id: 1 })).toBe(fork)
})
