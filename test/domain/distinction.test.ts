import { expect, test } from 'vitest'
import { distinctionOf } from '../../src/domain/job/distinction.ts'
import type { Job } from '../../src/domain/job/job.ts'

const token = 'ghp_q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4mJ6pRs1GzQwE'
const envAxis = { key: 'env', number: 1, of: 2, line: null }
const secure = { secure: 'q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4' }

const cases: [what: string, job: Partial<Job>, distinction: string][] = [
  ['its name, if it has one', { name: 'unit tests', config: { node_js: '20' } }, 'unit tests'],
  [
    'the keys in which jobs differ',
    { config: { node_js: '20', os: 'osx' }, origin: origin({ differing: ['os', 'node_js'] }) },
    'os osx, node 20',
  ],
  [
    'variables that vary',
    { config: { env: 'DB=mysql' }, origin: origin({ cell: [envAxis] }) },
    'DB=mysql',
  ],
  [
    'variables of an included job',
    { config: { env: [{ DB: 'pg' }] }, origin: origin({ kind: 'include' }) },
    'DB=pg',
  ],
  ['no variables that all jobs have', { config: { env: 'DB=mysql' } }, ''],
  [
    'no encrypted variable',
    { config: { env: [{ KEY: secure, DB: 'pg' }] }, origin: origin({ cell: [envAxis] }) },
    'DB=pg',
  ],
  [
    'no token in plain text',
    { config: { env: `TOKEN=${token}` }, origin: origin({ cell: [envAxis] }) },
    'TOKEN=[secure]',
  ],
]

test.each(cases)('a job is distinguished by %s', (_, job, distinction) => {
  expect(distinctionOf({ name: null, config: {}, origin: origin({}), ...job })).toBe(distinction)
})

function origin(given: Partial<Job['origin']>): Job['origin'] {
  return { kind: 'matrix', line: null, ...given }
}
