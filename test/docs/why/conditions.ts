import { pushed, type Situation } from './situation.ts'

/** What conditions and exclusions leave. */
export const conditions: Situation[] = [
  {
    title: 'The condition of the whole build does not hold',
    file: 'script: make\nif: branch = release AND type IN (push, api)\n',
    act: pushed,
  },
  {
    title: 'The condition of the whole build cannot be read',
    file: 'script: make\nif: branch = main AND\n',
    act: pushed,
  },
  {
    title: 'A part of the condition can never hold',
    file: 'script: make\nif: branch = release OR typ = push\n',
    act: pushed,
  },
  {
    title: 'The condition has a regular expression that is not closed',
    file: 'script: make\nif: branch =~ /^(main/\n',
    act: pushed,
  },
  {
    title: 'The condition compares a secret',
    file: 'script: make\nenv:\n  global:\n    - DEPLOY_TOKEN=abc\nif: env(DEPLOY_TOKEN) = def\n',
    act: pushed,
  },
  {
    title: 'One of two jobs is left out by its condition',
    file:
      'jobs:\n  include:\n    - name: Test\n      script: make test\n    - name: Release\n' +
      '      script: make release\n      if: tag IS present\n',
    act: pushed,
  },
  {
    title: 'All jobs are left out by their conditions',
    file:
      'jobs:\n  include:\n    - name: Nightly\n      script: make all\n      if: type = cron\n' +
      '    - name: Release\n      script: make release\n      if: tag IS present\n',
    act: pushed,
  },
  {
    title: 'A stage is left out with its jobs',
    file:
      'stages:\n  - test\n  - name: deploy\n    if: branch = release\njobs:\n  include:\n' +
      '    - script: make test\n    - stage: deploy\n      name: Ship it\n      script: make ship\n',
    act: pushed,
  },
  {
    title: 'All jobs of the matrix are excluded',
    file:
      'language: ruby\nrvm: [3.2, 3.3]\nscript: rake\njobs:\n  exclude:\n    - rvm: 3.2\n' +
      '    - rvm: 3.3\n',
    act: pushed,
  },
  {
    title: 'The condition of a job cannot be read',
    file: 'jobs:\n  include:\n    - script: make\n    - script: make ship\n      if: branch =\n',
    act: pushed,
  },
]
