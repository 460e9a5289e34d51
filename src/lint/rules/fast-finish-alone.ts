import { listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { LintRule } from './rule.ts'

export const fastFinishAlone: LintRule = {
  code: 'fast_finish_alone',
  level: 'info',
  summary: '`fast_finish` without any job that is allowed to fail.',
  why:
    '`fast_finish` ends a build as soon as all jobs that must pass have finished, without waiting ' +
    'for those that may fail. Where no job may fail there is nothing to skip, so it does nothing. It ' +
    'does not end a build at its first failure.',
  examples: [
    {
      source: 'rvm: [3.2, 3.3]\njobs:\n  fast_finish: true\n',
      messages: [
        'no job is allowed to fail, so "fast_finish" does nothing: remove it, or add ' +
          '"allow_failures"',
      ],
    },
    {
      source: 'rvm: [3.2, 3.3]\njobs:\n  fast_finish: true\n  allow_failure:\n    - rvm: 3.3\n',
      messages: [],
    },
    {
      source: 'rvm: [3.2, 3.3]\njobs:\n  fast_finish: true\n  allow_failures:\n    - rvm: 3.3\n',
      messages: [],
    },
  ],
  needs: ['jobs'],

  *check({ config: { jobs }, messages }) {
    // The key `allow_failure` has a message of its own, which says how to write it.
    if (messages.some(({ args }) => args?.key === 'allow_failure')) return
    if (!isMap(jobs) || jobs.fast_finish !== true) return
    const mayFail = listOf(jobs.include).some(
      (entry) => isMap(entry) && entry.allow_failure === true,
    )
    if (mayFail || listOf(jobs.allow_failures).length > 0) return
    const message =
      'no job is allowed to fail, so "fast_finish" does nothing: remove it, or add "allow_failures"'
    yield { message, path: ['jobs', 'fast_finish'], about: 'key' }
  },
}
