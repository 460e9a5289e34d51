import { isBlank } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { LintContext } from '../context/context.ts'
import { allSections, commandsOf, givesWay, type Section } from '../context/sections.ts'
import type { LintRule } from './rule.ts'

export const phaseNeverRuns: LintRule = {
  code: 'phase_never_runs',
  level: 'warn',
  summary: 'Commands of a phase that no job runs.',
  why:
    '`before_deploy` and `after_deploy` run around a deployment by a provider. Without `deploy` their ' +
    'commands are never called; a script that deploys with its own command can prepare in ' +
    '`after_success`, or become a deployment with the provider `script`. And a file whose matrix makes a single job runs only the entries of ' +
    '`jobs.include` where it has such: where each of these has a `script`, that of the file is never called.',
  examples: [
    {
      source: 'script: make\nbefore_deploy: make package\n',
      messages: [
        'nothing is deployed, so "before_deploy" never runs: add "deploy", or move the commands to ' +
          '"after_success"',
      ],
    },
    {
      source:
        'script: make test\njobs:\n  include:\n    - stage: deploy\n      script: make publish\n',
      messages: [
        '"script" never runs, because the one job of the matrix gives way to "jobs.include", whose entries ' +
          'have scripts of their own: make an entry of it too, or remove it',
      ],
    },
    {
      source:
        'script: make test\njobs:\n  include:\n    - name: all\n    - stage: deploy\n      script: make publish\n',
      messages: [],
    },
    {
      source:
        'script: make\nbefore_deploy: make package\ndeploy:\n  provider: script\n  script: make release\n',
      messages: [],
    },
  ],
  needs: ['before_deploy', 'after_deploy', 'jobs'],

  *check(context) {
    const { config, once } = context
    if (!isBlank(config.script) && isReplaced(context)) {
      const message =
        '"script" never runs, because the one job of the matrix gives way to "jobs.include", whose entries ' +
        'have scripts of their own: make an entry of it too, or remove it'
      yield { message, path: ['script'], about: 'key' }
    }
    const sections = once(allSections)
    for (const section of sections) {
      // Phases of the root may be meant for the deployment of an included job.
      const own = section.config === config ? sections : [section, { config, path: [] }]
      if (own.some(deploys)) continue
      for (const phase of ['before_deploy', 'after_deploy'] as const) {
        const commands = commandsOf(section, phase)
        if (commands.every(({ text }) => text === 'skip' || text === 'ignore')) continue
        const message =
          `nothing is deployed, so "${phase}" never runs: add "deploy", or move the commands to ` +
          '"after_success"'
        yield { message, path: [...section.path, phase], about: 'key' }
      }
    }
  },
}

/** Whether only included jobs are left, all with scripts of their own. */
function isReplaced({ once }: LintContext): boolean {
  const [, ...included] = once(allSections)
  return included.every(({ config }) => !isBlank(config.script)) && once(givesWay)
}

function deploys({ config: { deploy, addons } }: Section): boolean {
  return !isBlank(deploy) || (isMap(addons) && !isBlank(addons.deploy))
}
