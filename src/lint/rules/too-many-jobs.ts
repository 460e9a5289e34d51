import { countOfJobs } from '../context/sections.ts'
import type { LintRule } from './rule.ts'

const most = 200

export const tooManyJobs: LintRule = {
  code: 'too_many_jobs',
  level: 'error',
  summary: 'More jobs than a build may have.',
  why:
    'Each matrix key multiplies the jobs. A build with more than 200 of them is not started at all ' +
    'and ends as errored. Conditions may leave fewer; they are not looked at here.',
  examples: [
    {
      source: `rvm: [${range(15)}]\ngemfile: [${range(15)}]\n`,
      messages: [
        'these are more than 200 jobs, the maximum for a build: take values out of the ' +
          'matrix, or exclude some jobs',
      ],
    },
    { source: `rvm: [${range(15)}]\ngemfile: [${range(10)}]\n`, messages: [] },
  ],

  *check({ once, plan }) {
    if (once(countOfJobs) <= most) return
    const { axes, total, complete } = plan()
    if (complete && total <= most) return
    const [axis = 'jobs'] = axes
    const message =
      'these are more than 200 jobs, the maximum for a build: take values out of the matrix, ' +
      'or exclude some jobs'
    yield { message, path: [axis], about: 'key' }
  },
}

function range(count: number): string {
  return Array.from({ length: count }, (_, index) => `v${index}`).join(', ')
}
