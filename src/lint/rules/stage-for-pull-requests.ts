import { isMap } from '../../domain/config-value.ts'
import { isBlank, listOf } from '../../buildfile/expand/values.ts'
import { quote } from '../quote.ts'
import { isTestCommand } from '../shell/test-command.ts'
import type { Rule } from './rule.ts'

const onlyBranch = /^\s*branch\s*(?:=|==|IN|=~|~=)\s*[^&|]*$/i

/** Patterns of version numbers: tags are called like that, which pull requests do not go into. */
const versions = /^\s*branch\s*(?:=~|~=)\s*\/?\^?\(?(?:v\??|\[vV\]\??)?\(?(?:\\d|\[0-9\])/i

const deploying = /deploy|publish|release/i

/** Names of stages that look at what is, or was, deployed. */
const looking = /\b(?:tests?|testing|checks?|verification)\s*$/i

export const stageForPullRequests: Rule = {
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

  *check({ config }) {
    const jobs = listOf(isMap(config.jobs) ? config.jobs.include : undefined).filter(isMap)
    for (const [index, stage] of listOf(config.stages).entries()) {
      if (!isMap(stage) || typeof stage.name !== 'string' || typeof stage.if !== 'string') continue
      if (!deploying.test(stage.name) || looking.test(stage.name)) continue
      if (!onlyBranch.test(stage.if) || versions.test(stage.if)) continue
      if (/\b(?:AND|OR|NOT|type|tag|fork|head_\w+)\b/i.test(stage.if)) continue
      const own = jobs.filter((job) => job.stage === stage.name)
      // Providers leave pull requests alone by themselves.
      if (own.length === 0 || own.some((job) => !isBlank(job.deploy) || !isBlank(job.if))) continue
      if (own.every((job) => onlyTests(job.script ?? config.script))) continue
      const message =
        `the stage ${quote(stage.name)} runs for pull requests to that branch as well: write ` +
        quote(`${stage.if.trim()} AND type != pull_request`)
      yield { message, path: ['stages', index, 'if'] }
    }
  },
}

/** Whether all that a job does in `script` is to test or to build. */
function onlyTests(script: unknown): boolean {
  const commands = listOf(script)
  return commands.every((command) => typeof command === 'string' && isTestCommand(command))
}
