import { expect, test } from 'vitest'
import { branchDecision } from '../../src/buildfile/branches.ts'

const yes = { included: true }
const no = { included: false }

test.each([
  [undefined, 'main', { ...yes, by: null, only: [] }],
  [null, 'main', { ...yes, by: null, only: [] }],
  [[], 'main', { ...yes, by: null, only: [] }],
  ['main', 'main', { ...yes, by: 'only', entry: 'main', index: 0, only: ['main'] }],
  ['main', 'maintenance', { ...no, by: 'only', only: ['main'] }],
  ['main, dev ,', 'dev', { ...yes, by: 'only', entry: 'dev', index: 0, only: ['main', 'dev'] }],
  [['main', 'dev'], 'dev', { ...yes, by: 'only', entry: 'dev', index: 1, only: ['main', 'dev'] }],
  [{ only: 'main' }, 'main', { ...yes, by: 'only', entry: 'main', index: 0, only: ['main'] }],
  [{ only: ['main'] }, 'dev', { ...no, by: 'only', only: ['main'] }],
  [{ except: 'dev' }, 'dev', { ...no, by: 'except', entry: 'dev', index: 0, only: [] }],
  [{ except: ['dev'] }, 'main', { ...yes, by: null, only: [] }],
  // Both are asked: what is listed in both is not built (CF-23).
  [
    { only: '/./', except: 'dev' },
    'dev',
    { ...no, by: 'except', entry: 'dev', index: 0, only: ['/./'] },
  ],
  [
    { only: '/./', except: 'dev' },
    'main',
    { ...yes, by: 'only', entry: '/./', index: 0, only: ['/./'] },
  ],
  [{ only: 1 }, '1', { ...yes, by: 'only', entry: '1', index: 0, only: ['1'] }],
  [{ only: { a: 1 } }, 'main', { ...yes, by: null, only: [] }],
] as const)(
  'a build file with the branches %j builds the branch %j: %j',
  (branches, name, expected) => {
    expect(branchDecision({ branches }, name)).toEqual(expected)
  },
)

test.each([
  ['/^release/', 'release-1', true],
  ['/^release/', 'my-release', false],
  ['/release/', 'my-release', true],
  [String.raw`/^v\d+\.\d+$/`, 'v1.22', true],
  [String.raw`/^v\d{1,3}$/`, 'v12', true],
  [String.raw`/\Av1\z/`, 'v1', true],
  [String.raw`/\Av1\z/`, 'v10', false],
  [String.raw`/\\A/`, 'x\\A', true],
  ['/(?i)^MAIN$/', 'main', true],
  ['/^MAIN$/', 'main', false],
  ['/[/', '[', false],
  ['/main', 'main', false],
  ['/', '/', true],
  ['/^x/', `x${'y'.repeat(999)}`, true],
  // Exponential for an engine that goes back and forth.
  ['/^(a+)+$/', `${'a'.repeat(1000)}b`, false],
  ['/a/,/b/', 'b', true],
  ['/a,b/', 'a,b', true],
])('the expression %s matches %s: %j', (entry, name, included) => {
  expect(branchDecision({ branches: entry }, name).included).toBe(included)
})
