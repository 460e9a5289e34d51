import { isBlank, listOf } from '../../buildfile/expand/values.ts'
import { isMap, isSecure } from '../../domain/config/config-value.ts'
import { allSections } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const deploysDefaultBranch: LintRule = {
  code: 'deploys_default_branch',
  level: 'info',
  summary: 'A deployment without a branch or tags.',
  why:
    'Without a branch under `on`, only `master` is deployed, even if the default branch has another ' +
    'name, and tags are not deployed. Name what to deploy: `branch`, `tags: true` or `all_branches: true`. ' +
    'A deployment whose `on` has a `condition` is not reported, because the condition may select the branch.',
  examples: [
    {
      source: 'script: make\ndeploy:\n  provider: script\n  script: make publish\n',
      messages: [
        '"script" deploys only the branch "master", because it names no other: set "branch" or "tags: ' +
          'true" under "on"',
      ],
    },
    { source: 'script: make\ndeploy:\n  provider: gh-pages\n  local_dir: public\n', messages: [] },
    {
      source:
        'script: make\ndeploy:\n  provider: script\n  script: make publish\n  on:\n    tags: true\n',
      messages: [],
    },
    {
      source:
        'script: make\ndeploy:\n  provider: script\n  script: make publish\n  on:\n    branch: main\n',
      messages: [],
    },
    {
      source:
        'script: make\njobs:\n  include:\n    - if: branch = main\n      deploy:\n' +
        '        provider: script\n        script: make publish\n',
      messages: [],
    },
  ],
  needs: ['deploy'],

  *check({ config: root, once, messages }) {
    // The behaviour of an unknown provider is not known.
    if (messages.some(({ code, key }) => code === 'unknown_value' && key.at(-1) === 'provider'))
      return
    // If these keys are set, the author has chosen the branches to build.
    if (!isBlank(root.branches) || hasIf(root)) return
    const stages = listOf(root.stages).filter(isMap).filter(hasIf)
    const conditional = new Set(stages.map(({ name }) => name))
    for (const { config, path } of once(allSections)) {
      if (hasIf(config) || conditional.has(config.stage)) continue
      for (const [index, deployment] of listOf(config.deploy).entries()) {
        if (!isMap(deployment) || typeof deployment.provider !== 'string') continue
        if (saysWhat(deployment)) continue
        const message =
          `${quote(deployment.provider)} deploys only the branch "master", because it names no other: ` +
          'set "branch" or "tags: true" under "on"'
        yield { message, path: [...path, 'deploy', index], about: 'value' }
      }
    }
  },
}

const hasIf = (of: Readonly<Record<string, unknown>>) => !isBlank(of.if)

/** Whether an option is a map of values by branch; an encrypted value is a map as well. */
const isChoice = (value: unknown) => isMap(value) && !isSecure(value)

/** Whether a deployment chooses branches: under `on`, or in an option with a value for each branch. */
function saysWhat({ on, ...options }: Readonly<Record<string, unknown>>): boolean {
  if (Object.values(options).some(isChoice)) return true
  if (!isMap(on)) return false
  return ['branch', 'tags', 'all_branches', 'condition'].some((key) => !isBlank(on[key]))
}
