import { isBlank, listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { LintRule } from './rule.ts'

export const noJobs: LintRule = {
  code: 'no_jobs',
  level: 'error',
  summary: 'A file whose every job is excluded.',
  why:
    'An entry of `jobs.exclude` leaves out each job that has all of its values, also the jobs of ' +
    '`jobs.include`. If no job is left, the service builds nothing, and the request is rejected. A file with ' +
    'imports is not looked at, because they can add jobs.',
  examples: [
    {
      source:
        'python: [3.11, 3.12]\njobs:\n  exclude:\n    - language: python\nlanguage: python\nscript: tox\n',
      messages: [
        'nothing is built, because "exclude" leaves out every job: correct its entries, or remove them',
      ],
    },
    {
      source:
        'rvm: [3.2, 3.3]\njobs:\n  exclude:\n    - rvm: 3.2\n    - rvm: 3.3\n  include:\n    - rvm: 3.4\n',
      messages: [],
    },
    {
      source: 'rvm: 3.3\njobs:\n  exclude:\n    - rvm: 3.3\n      if: type = pull_request\n',
      messages: [],
    },
  ],
  needs: ['jobs'],

  *check({ config, plan }) {
    const { jobs } = config
    if (!isMap(jobs) || isBlank(jobs.exclude) || !isBlank(config.import)) return
    if (listOf(jobs.exclude).some(dependsOnEvent)) return
    if (plan().total > 0) return
    const message =
      'nothing is built, because "exclude" leaves out every job: correct its entries, or remove them'
    yield { message, path: ['jobs', 'exclude'], about: 'key' }
  },
}

const dependsOnEvent = (entry: unknown) => isMap(entry) && ('if' in entry || 'branch' in entry)
