import { axesOf } from '../../buildfile/expand/drafts/axes.ts'
import { platformOf, supports } from '../../buildfile/expand/drafts/support.ts'
import { listOf, type Path } from '../../buildfile/expand/values.ts'
import type { JobOrigin } from '../../domain/job/job.ts'
import type { LintContext } from '../context/context.ts'
import { countOfJobs } from '../context/sections.ts'
import type { LintRule } from './rule.ts'

export const identicalJobs: LintRule = {
  code: 'identical_jobs',
  level: 'warn',
  summary: 'Two jobs that are the same in every respect, of which only one runs.',
  why: 'Equal jobs are merged silently. Usually one was copied and the difference was forgotten, or the difference is a key that its language does not have, which is left out.',
  examples: [
    {
      source:
        'jobs:\n  include:\n    - script: make a\n    - script: make b\n    - script: make a\n',
      messages: [
        'this job is the same as another one (entry 1 of "include"), so only one of them runs: ' +
          'remove it, or make it differ',
      ],
    },
    {
      source: 'rvm: [3.3, 3.3]\nscript: make\n',
      messages: [
        'this job is the same as another one of the matrix, so only one of them runs: remove it, or ' +
          'make it differ',
      ],
    },
    { source: 'env:\n  - A = 1\n  - B = 2\n  - C=3\nscript: make\n', messages: [] },
    {
      source:
        'jobs:\n  include:\n    - script: make\n      name: one\n    - script: make\n      name: two\n',
      messages: [],
    },
  ],

  *check({ once, plan, messages }) {
    // Unreadable definitions are left out, which may be the only reason that jobs are equal.
    if (messages.some(({ code }) => code === 'invalid_env_var')) return
    if (once(countOfJobs) <= 1 || once(allDiffer)) return
    for (const { origin, why } of plan().dropped) {
      if (why.kind !== 'duplicate') continue
      const message =
        `this job is the same as another one${named(why.of.origin)}, so only one of them runs: ` +
        'remove it, or make it differ'
      yield { message, path: pathOf(origin) }
    }
  },
}

/** Whether no two jobs can be equal, as in most matrices: those jobs need not be made. */
function allDiffer({ config }: LintContext): boolean {
  if (config.jobs !== undefined) return false
  const platforms = listOf(config.os).map((os) => platformOf(config.language, os))
  return axesOf(config).every(
    ({ key, values }) =>
      key !== 'env' &&
      new Set(values).size === values.length &&
      values.every(
        (value) =>
          typeof value !== 'object' &&
          platforms.every((platform) => supports(key, value, platform)),
      ),
  )
}

function named(origin: JobOrigin): string {
  if (origin.kind === 'include') return ` (entry ${origin.entry} of "include")`
  return origin.kind === 'matrix' ? ' of the matrix' : ''
}

/** Path of the job's entry, or of the value of the matrix key that varies fastest. */
function pathOf(origin: JobOrigin): Path {
  if (origin.entry !== undefined) return ['jobs', 'include', origin.entry - 1]
  const value = origin.cell?.findLast(({ of }) => of > 1)
  if (!value) return []
  return value.key === 'env' ? ['env', 'jobs', value.number - 1] : [value.key, value.number - 1]
}
