import { misspeltStages } from '../context/misspelt-stages.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const misspeltStage: LintRule = {
  code: 'misspelt_stage',
  level: 'warn',
  summary: 'A stage of a job that is spelled almost like one under `stages`.',
  why:
    'A stage that is not under `stages` is a stage of its own, and runs after all that are, so a ' +
    'deployment runs before its tests. Capital letters make no difference.',
  examples: [
    {
      source:
        'stages: [build, deploy]\njobs:\n  include:\n    - stage: biuld\n      script: make\n' +
        '    - stage: build\n      script: make all\n    - stage: deploy\n      script: make publish\n',
      messages: [
        'the stage "biuld" is not among "stages" and runs after them: write "build" if that is meant, ' +
          'or add it there',
      ],
    },
    {
      source:
        'stages: [build 1]\njobs:\n  include:\n    - stage: Build 1\n      script: make\n' +
        '    - stage: build 2\n      script: make all\n    - stage: publish\n      script: make publish\n',
      messages: [],
    },
  ],
  needs: ['stages'],

  *check({ once }) {
    for (const { name, meant, path } of once(misspeltStages)) {
      const message =
        `the stage ${quote(name)} is not among "stages" and runs after them: write ${quote(meant)} if ` +
        'that is meant, or add it there'
      yield { message, path, about: 'value' }
    }
  },
}
