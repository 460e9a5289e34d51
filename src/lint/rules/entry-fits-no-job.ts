import { expandJobs } from '../../buildfile/expand/expand-jobs.ts'
import type { Plan } from '../../buildfile/expand/plan.ts'
import { type Config, isMap, listOf } from '../../buildfile/expand/values.ts'
import { quote } from '../quote.ts'
import type { Advice, Rule } from './rule.ts'

/** Each entry is tried on each job; real files stay far below. */
const mostTries = 5000

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

  *check({ config, plan }) {
    const { jobs } = config
    if (!isMap(jobs)) return
    yield* unfit(config, jobs, plan(), excludes)
    yield* unfit(config, jobs, plan(), allowances)
  },
}

interface List {
  name: 'exclude' | 'allow_failures'
  hasEffect: (plan: Plan) => boolean
}

const excludes: List = {
  name: 'exclude',
  hasEffect: ({ dropped }) => dropped.some(({ why }) => why.kind === 'excluded'),
}

const allowances: List = {
  name: 'allow_failures',
  hasEffect: ({ jobs }) => jobs.some(({ allow_failure }) => allow_failure),
}

/** The entries of a list that, alone in it, do nothing. */
function* unfit(config: Config, jobs: Config, plan: Plan, list: List): Generator<Advice> {
  const entries = listOf(jobs[list.name])
  if (!plan.complete || plan.total > plan.jobs.length) return
  if (entries.length * plan.combinations > mostTries) return
  const fits = (entry: Config) => hasEffectIn(config, jobs, list, entry)
  for (const [index, entry] of entries.entries()) {
    if (!isMap(entry)) continue
    // Branches and conditions depend on the event.
    const { if: _if, branch: _branch, ...keys } = entry
    if (Object.keys(keys).length === 0 || fits(keys)) continue
    const culprit = Object.entries(keys).find(([key, value]) => !fits({ [key]: value }))
    const message =
      `this entry of "${list.name}" fits no job, since none has ${missing(culprit)}: correct or ` +
      'remove it'
    yield { message, path: ['jobs', list.name, index] }
  }
}

function hasEffectIn(config: Config, jobs: Config, { name, hasEffect }: List, entry: Config) {
  // What included jobs say of themselves would be taken for the entry's doing.
  const include = listOf(jobs.include).map((job) =>
    isMap(job) ? { ...job, allow_failure: undefined } : job,
  )
  const planWith = (included: readonly unknown[]) =>
    expandJobs({ ...config, jobs: { ...jobs, include: included, [name]: [entry] } })
  // The one job of the matrix gives way to included ones, but may be what the entry is meant for.
  return hasEffect(planWith(include)) || (name === 'exclude' && hasEffect(planWith([])))
}

function missing(culprit: [string, unknown] | undefined): string {
  if (!culprit) return 'all of its values together'
  const [key, value] = culprit
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? `the value ${quote(value)} under "${key}"`
    : `its "${key}"`
}
