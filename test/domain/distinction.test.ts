import { describe, expect, test } from 'vitest'
import { distinctionOf, ownVariables } from '../../src/domain/job/distinction.ts'
import type { Job } from '../../src/domain/job/job.ts'

const token = 'ghp_q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4mJ6pRs1GzQwE'

const jobOf = (given: Partial<Pick<Job, 'name' | 'config'>>, differing: string[] = []) => {
  const origin: Job['origin'] = { kind: 'matrix', line: null, differing }
  return { name: null, config: {}, origin, ...given }
}

describe('a job is distinguished', () => {
  test.each([
    ['by its name, if it has one', { name: 'unit tests', config: { os: 'osx' } }, 'unit tests'],
    [
      'by the keys in which jobs differ',
      { config: { os: 'osx', node_js: '20' } },
      'os osx, node 20',
    ],
    ['without variables, which can be secret', { config: { env: 'DB=mysql' } }, ''],
    ['without a token in its name', { name: `push ${token}` }, 'push [secure]'],
    ['without a token in a value', { config: { os: token } }, 'os [secure]'],
  ])('%s', (_, job, distinction) => {
    expect(distinctionOf(jobOf(job, ['os', 'node_js']))).toBe(distinction)
  })
})

test('the variables of a job are those that not all jobs have', () => {
  const everywhere = { LANG: 'C' }
  const jobs = [
    jobOf({ config: { env: [everywhere, { DB: 'mysql' }] } }),
    jobOf({ config: { env: [everywhere, 'DB=pg', { KEY: { secure: 'q8Zr3vLx0Tn5' } }] } }),
    jobOf({ config: { env: [everywhere, { TOKEN: token }] } }),
    jobOf({ config: { env: [everywhere] } }),
  ]
  expect(jobs.map((job) => ownVariables(job, jobs))).toEqual([
    ...['DB=mysql', 'DB=pg', 'TOKEN=[secure]', ''],
  ])
  expect(ownVariables(jobs[0] ?? jobOf({}), jobs.slice(0, 1))).toBe('')
})
