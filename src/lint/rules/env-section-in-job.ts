import { listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { allSections } from '../context/sections.ts'
import type { LintRule } from './rule.ts'

export const envSectionInJob: LintRule = {
  code: 'env_section_in_job',
  level: 'warn',
  summary: '`global`, `jobs` or `matrix` under the `env` of a single job.',
  why:
    'Only the `env` of the whole file is parted into `global` and `jobs`. A job has one environment, ' +
    'so there these words are taken for the names of variables.',
  examples: [
    {
      source: 'jobs:\n  include:\n    - script: make\n      env:\n        global: A=1\n',
      messages: [
        'a job has one environment, so "global" becomes a variable of that name: put the variables ' +
          'directly under "env"',
      ],
    },
    { source: 'env:\n  global: A=1\n', messages: [] },
    { source: 'jobs:\n  include:\n    - script: make\n      env: A=1\n', messages: [] },
  ],
  needs: ['jobs'],

  *check({ once }) {
    for (const section of once(allSections).slice(1)) {
      for (const [index, variables] of listOf(section.config.env).entries()) {
        if (!isMap(variables)) continue
        for (const name of ['global', 'jobs', 'matrix']) {
          if (!(name in variables)) continue
          const message =
            `a job has one environment, so "${name}" becomes a variable of that name: put the ` +
            'variables directly under "env"'
          yield { message, path: [...section.path, 'env', index, name], about: 'key' }
        }
      }
    }
  },
}
