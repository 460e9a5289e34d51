import { expandJobs } from '../../buildfile/expand/expand-jobs.ts'
import type { Plan } from '../../buildfile/expand/plan.ts'
import { type Config, isMap, listOf } from '../../buildfile/expand/values.ts'
import { quote } from '../quote.ts'
import type { Advice, Rule } from './rule.ts'

/** Each entry is tried by itself; nobody writes more by hand. */
const mostEntries = 50

export const entryFitsNoJob: Rule = {
  code: 'entry_fits_no_job',
  level: 'warn',
  summary: 'An entry of `jobs.exclude` or `jobs.allow_failures` that fits no job.',
  why:
    'An entry fits a job if every key it names has exactly the value that the job has. `env` has to ' +
    "be the whole list of the job's own variables, written as it is there. An entry that fits " +
    'nothing does nothing: a job one wanted to be rid of runs, or one that may fail breaks the build.',
  examples: [
    {
      source: 'rvm: [3.2, 3.3]\njobs:\n  exclude:\n    - rvm: 3.1\n',
      messages: [
        'this entry of "exclude" fits no job, since none has the value "3.1" under "rvm": correct ' +
          'or remove it',
      ],
    },
    {
      source:
        'rvm: [3.2, 3.3]\nos: [linux, osx]\njobs:\n  exclude:\n    - rvm: 3.2\n      os: linux\n' +
        '  allow_failures:\n    - rvm: 3.2\n      os: linux\n',
      messages: [
        'this entry of "allow_failures" fits no job, since none has all of its values together: ' +
          'correct or remove it',
      ],
    },
    {
      source:
        'rvm: [3.2, 3.3]\njobs:\n  exclude:\n    - rvm: 3.2\n  allow_failures:\n    - rvm: 3.3\n',
      messages: [],
    },
  ],

  *check({ config }) {
    const { jobs } = config
    if (!isMap(jobs)) return
    yield* unfit(config, jobs, 'exclude', ({ dropped }) =>
      dropped.some(({ why }) => why.kind === 'excluded'),
    )
    yield* unfit(config, jobs, 'allow_failures', (plan) =>
      plan.jobs.some(({ allow_failure }) => allow_failure),
    )
  },
}

/** The entries of a list that, alone in it, do nothing. */
function* unfit(
  config: Config,
  jobs: Config,
  list: 'exclude' | 'allow_failures',
  hasEffect: (plan: Plan) => boolean,
): Generator<Advice> {
  const entries = listOf(jobs[list])
  if (entries.length > mostEntries) return
  // What included jobs say of themselves would be taken for the entry's doing.
  const include = listOf(jobs.include).map((entry) =>
    isMap(entry) ? { ...entry, allow_failure: undefined } : entry,
  )
  const planWith = (entry: Config) =>
    expandJobs({ ...config, jobs: { ...jobs, include, [list]: [entry] } })
  for (const [index, entry] of entries.entries()) {
    if (!isMap(entry)) continue
    // Branches and conditions depend on the event.
    const { if: _if, branch: _branch, ...keys } = entry
    if (Object.keys(keys).length === 0) continue
    const plan = planWith(keys)
    if (hasEffect(plan) || !plan.complete || plan.total > plan.jobs.length) continue
    const culprit = Object.entries(keys).find(
      ([key, value]) => !hasEffect(planWith({ [key]: value })),
    )
    const message = `this entry of "${list}" fits no job, since none has ${missing(culprit)}: correct or remove it`
    yield { message, path: ['jobs', list, index] }
  }
}

function missing(culprit: [string, unknown] | undefined): string {
  if (!culprit) return 'all of its values together'
  const [key, value] = culprit
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? `the value ${quote(value)} under "${key}"`
    : `its "${key}"`
}
