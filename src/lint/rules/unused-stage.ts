import { listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { misspeltStages } from '../context/misspelt-stages.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const unusedStage: LintRule = {
  code: 'unused_stage',
  level: 'warn',
  summary: 'A name under `stages` that no job belongs to.',
  why:
    'A stage without jobs is left out. Jobs without a stage belong to the stage `test`. If `jobs` spells ' +
    'the name differently, the misspelling is reported instead.',
  examples: [
    {
      source:
        'stages: [check, publish]\njobs:\n  include:\n    - stage: check\n      script: make\n' +
        '    - stage: release\n      script: make publish\n',
      messages: [
        'no job belongs to the stage "publish", so it is left out: remove it, or give it to a job ' +
          'as its "stage"',
      ],
    },
    {
      source:
        'stages: [Check, test]\njobs:\n  include:\n    - stage: check\n      script: make\n' +
        '    - stage: test\n      script: make test\n',
      messages: [],
    },
  ],
  needs: ['stages'],

  *check({ config, plan, once }) {
    const entries = listOf(config.stages)
    if (entries.length === 0) return
    const { jobs, complete, total } = plan()
    if (!complete || total > jobs.length) return
    const used = new Set([
      ...jobs.map(({ stage }) => stage?.toLowerCase()),
      ...once(misspeltStages).map(({ meant }) => meant.toLowerCase()),
    ])
    for (const [index, entry] of entries.entries()) {
      const name = isMap(entry) ? entry.name : undefined
      if (typeof name !== 'string' || used.has(name.toLowerCase())) continue
      const message =
        `no job belongs to the stage ${quote(name)}, so it is left out: remove it, or give it to a ` +
        'job as its "stage"'
      yield { message, path: ['stages', index] }
    }
  },
}
