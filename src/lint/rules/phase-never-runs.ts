import { isMap } from '../../domain/config-value.ts'
import { isBlank } from '../../buildfile/expand/values.ts'
import { commandsOf, type Section, allSections } from '../context/sections.ts'
import type { Rule } from './rule.ts'

export const phaseNeverRuns: Rule = {
  code: 'phase_never_runs',
  level: 'warn',
  summary: '`before_deploy` or `after_deploy` without anything under `deploy`.',
  why:
    'These phases run around a deployment by a provider. Without `deploy` their commands are never ' +
    'called; what deploys by a command of its own can prepare in `after_success`, or be given the ' +
    'provider `script`.',
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
        'script: make\nbefore_deploy: make package\ndeploy:\n  provider: script\n  script: make release\n',
      messages: [],
    },
  ],
  needs: ['before_deploy', 'after_deploy'],

  *check({ config, once }) {
    const sections = once(allSections)
    for (const section of sections) {
      // What the root prepares may be for the deployment of an included job.
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

function deploys({ config: { deploy, addons } }: Section): boolean {
  return !isBlank(deploy) || (isMap(addons) && !isBlank(addons.deploy))
}
