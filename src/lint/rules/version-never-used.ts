import { type Config, listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { givesWay } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const versionNeverUsed: LintRule = {
  code: 'version_never_used',
  level: 'warn',
  summary: 'A value of a matrix key at the top of the file that no job gets.',
  why:
    'Where `jobs.include` has entries and the matrix would make just one job, that job is left out. ' +
    'If each entry then has a version of its own, the one at the top of the file is never used. To ' +
    'build it as well, add an entry for it.',
  examples: [
    {
      source: 'rvm: 3.2\njobs:\n  include:\n    - rvm: 3.3\n    - rvm: 3.4\n',
      messages: [
        'no job has "3.2" under "rvm", because each entry of "include" has another value and the matrix ' +
          'makes no job beside them: add an entry for it, or remove it',
      ],
    },
    { source: 'rvm: 3.2\njobs:\n  include:\n    - script: make\n    - rvm: 3.4\n', messages: [] },
    { source: 'rvm: [3.2, 3.3]\njobs:\n  include:\n    - rvm: 3.4\n', messages: [] },
  ],
  needs: ['jobs'],

  *check({ config, once, plan, keySpanOf }) {
    if (!once(givesWay)) return
    const { jobs, axes } = plan()
    for (const key of axes) {
      // Defaults are not reported.
      if (key === 'env' || key === 'os' || keySpanOf([key]) === undefined) continue
      if (isAskedFor(key, config)) continue
      for (const [index, value] of listOf(config[key]).entries()) {
        if (typeof value !== 'string') continue
        if (jobs.some((job) => !(key in job.config) || listOf(job.config[key]).includes(value)))
          continue
        const message =
          `no job has ${quote(value)} under "${key}", because each entry of "include" has another value ` +
          'and the matrix makes no job beside them: add an entry for it, or remove it'
        yield { message, path: [key, index] }
      }
    }
  },
}

/** Whether an entry of the other lists names the key: it may be set at the top only for that. */
function isAskedFor(key: string, { jobs }: Config): boolean {
  const lists = isMap(jobs) ? [jobs.exclude, jobs.allow_failures] : []
  return lists.flatMap(listOf).some((entry) => isMap(entry) && key in entry)
}
