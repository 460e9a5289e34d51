import { branchDecision } from '../../buildfile/branches.ts'
import { listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { allSections } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

/** Most branches to check: each is compared with all of `branches`. */
const mostBranches = 30

export const deployedBranchNotBuilt: LintRule = {
  code: 'deployed_branch_not_built',
  level: 'warn',
  summary: 'A deployment of a branch that `branches` excludes from builds.',
  why:
    'A deployment can only happen in a build. A deployment of a branch that `branches` leaves out never ' +
    'happens.',
  examples: [
    {
      source:
        'branches:\n  only: main\ndeploy:\n  provider: script\n  script: make release\n  on:\n' +
        '    branch: production\n',
      messages: [
        'the branch "production" is deployed, but "branches" excludes it from builds: include it, ' +
          'or correct the name',
      ],
    },
    {
      source:
        'branches:\n  only: [main, production]\ndeploy:\n  provider: script\n' +
        '  script: make release\n  on:\n    branch: production\n',
      messages: [],
    },
  ],
  needs: ['deploy'],

  *check({ config, once }) {
    const built = new Map<string, boolean>()
    for (const section of once(allSections)) {
      for (const [index, deployment] of listOf(section.config.deploy).entries()) {
        const on = isMap(deployment) && isMap(deployment.on) ? deployment.on : {}
        if (on.tags === true || on.all_branches === true) continue
        for (const [position, branch] of listOf(on.branch).entries()) {
          if (typeof branch !== 'string' || !/^[\w./-]+$/.test(branch)) continue
          if (!built.has(branch) && built.size < mostBranches) {
            built.set(branch, branchDecision(config, branch).included)
          }
          if (built.get(branch) ?? true) continue
          const message =
            `the branch ${quote(branch)} is deployed, but "branches" excludes it from builds: include ` +
            'it, or correct the name'
          yield { message, path: [...section.path, 'deploy', index, 'on', 'branch', position] }
        }
      }
    }
  },
}
