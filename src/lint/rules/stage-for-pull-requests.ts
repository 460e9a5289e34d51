import { stagesForPullRequests } from '../context/stages-for-pull-requests.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const stageForPullRequests: LintRule = {
  code: 'stage_for_pull_requests',
  level: 'warn',
  summary: 'A stage that deploys, with a condition that pull requests meet as well.',
  why:
    'In the build of a pull request `branch` is the branch it is to be merged into, so a condition ' +
    'such as `branch = main` lets the stage run for every pull request to it. Add ' +
    '`AND type != pull_request`.',
  examples: [
    {
      source:
        'script: make\nstages:\n  - test\n  - name: deploy\n    if: branch = main\njobs:\n  include:\n' +
        '    - stage: deploy\n      script: make publish\n',
      messages: [
        'the stage "deploy" runs for pull requests to that branch as well: write "branch = main AND ' +
          'type != pull_request"',
      ],
    },
    {
      // Stage names ignore case, and an entry without a stage has the stage of the entry before it.
      source:
        'script: make\nstages:\n  - test\n  - name: Deploy\n    if: branch = main\njobs:\n  include:\n' +
        '    - stage: deploy\n      script: make publish\n    - script: npm publish\n',
      messages: [
        'the stage "Deploy" runs for pull requests to that branch as well: write "branch = main AND ' +
          'type != pull_request"',
      ],
    },
    {
      source:
        'script: make\nstages:\n  - test\n  - name: deploy\n' +
        '    if: branch = main AND type != pull_request\njobs:\n  include:\n' +
        '    - stage: deploy\n      script: make publish\n',
      messages: [],
    },
    {
      source:
        'script: make\nstages:\n  - name: deploy\n    if: branch = main\njobs:\n  include:\n' +
        '    - stage: deploy\n      deploy:\n        provider: script\n        script: make publish\n' +
        '        on:\n          branch: main\n',
      messages: [],
    },
    {
      source:
        'script: make\ndeploy:\n  provider: npm\n  api_token: $TOKEN\nstages:\n  - name: deploy\n    if: branch = main\n' +
        'jobs:\n  include:\n    - stage: deploy\n      script: skip\n',
      messages: [],
    },
    {
      source:
        'script: make\nstages:\n  - name: deploy\n    if: branch =~ ^v?\\d+\\.\\d+\\.\\d+$\njobs:\n  include:\n' +
        '    - stage: deploy\n      script: make publish\n',
      messages: [],
    },
    {
      source:
        'script: make\nstages:\n  - name: deployment tests\n    if: branch = main\njobs:\n' +
        '  include:\n    - stage: deployment tests\n      script: ./look.sh\n',
      messages: [],
    },
    {
      source:
        'script: make\nstages:\n  - name: predeploy\n    if: branch = main\njobs:\n  include:\n' +
        '    - stage: predeploy\n      script: make test\n',
      messages: [],
    },
  ],
  needs: ['stages'],

  *check({ once }) {
    for (const { name, condition, path } of once(stagesForPullRequests)) {
      const message =
        `the stage ${quote(name)} runs for pull requests to that branch as well: write ` +
        quote(`${condition.trim()} AND type != pull_request`)
      yield { message, path }
    }
  },
}
