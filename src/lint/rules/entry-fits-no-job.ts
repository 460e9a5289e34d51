import { expand, type Expansion } from '../../buildfile/expand/expansion.ts'
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
  needs: ['jobs'],

  *check({ config, plan }) {
    const { jobs } = config
    if (!isMap(jobs)) return
    yield* unfit(config, jobs, plan(), excludes)
    yield* unfit(config, jobs, plan(), allowances)
  },
}

interface List {
  name: 'exclude' | 'allow_failures'
  /** The indices of the entries that did something. */
  effective: (expansion: Expansion) => readonly (number | null)[]
}

const excludes: List = {
  name: 'exclude',
  effective: ({ dropped }) =>
    dropped.map(({ why }) => (why.kind === 'excluded' ? why.entry : null)),
}

const allowances: List = {
  name: 'allow_failures',
  effective: ({ jobs }) => jobs.map(({ allowance }) => allowance),
}

/** The entries of a list that, alone in it, do nothing. Of several that fit a job the first does it. */
function* unfit(config: Config, jobs: Config, plan: Plan, list: List): Generator<Advice> {
  const entries = listOf(jobs[list.name])
  if (entries.length === 0 || !plan.complete || plan.total > plan.jobs.length) return
  if (entries.length * plan.combinations > mostTries) return
  const effectiveOf = (tried: readonly unknown[]) => effectiveIn(config, jobs, list, tried)
  const fits = (entry: Config) => effectiveOf([entry]).has(0)
  const tried = entries.map(withoutEvent)
  const effective = effectiveOf(tried)
  for (const [index, keys] of tried.entries()) {
    if (!isMap(keys) || Object.keys(keys).length === 0) continue
    if (effective.has(index) || fits(keys)) continue
    const culprit = Object.entries(keys).find(([key, value]) => !fits({ [key]: value }))
    const message =
      `this entry of "${list.name}" fits no job, since none has ${missing(culprit)}: correct or ` +
      'remove it'
    yield { message, path: ['jobs', list.name, index] }
  }
}

/** Branches and conditions depend on the event. */
function withoutEvent(entry: unknown): unknown {
  if (!isMap(entry)) return entry
  const { if: _if, branch: _branch, ...keys } = entry
  return keys
}

/** Which entries do something when these are the list. */
function effectiveIn(
  config: Config,
  jobs: Config,
  { name, effective }: List,
  entries: readonly unknown[],
): ReadonlySet<number | null> {
  const expandWith = (included: unknown) =>
    expand({ ...config, jobs: { ...jobs, include: included, [name]: entries } }, {})
  const found = effective(expandWith(jobs.include))
  // The one job of the matrix gives way to included ones, but may be what an entry is meant for.
  const more = name === 'exclude' && jobs.include !== undefined
  return new Set(more ? [...found, ...effective(expandWith([]))] : found)
}

function missing(culprit: [string, unknown] | undefined): string {
  if (!culprit) return 'all of its values together'
  const [key, value] = culprit
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? `the value ${quote(value)} under "${key}"`
    : `its "${key}"`
}
