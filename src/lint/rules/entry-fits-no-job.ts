import { type FittingList, fittingEntries } from '../../buildfile/expand/expand-matrix.ts'
import type { Outline } from '../../buildfile/expand/plan.ts'
import { type Config, listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { quote } from '../quote.ts'
import type { Advice, LintRule } from './rule.ts'

/** Most comparisons of entries with jobs; real files stay far below. */
const mostTries = 5000

export const entryFitsNoJob: LintRule = {
  code: 'entry_fits_no_job',
  level: 'warn',
  summary: 'An entry of `jobs.exclude` or `jobs.allow_failures` that matches no job.',
  why:
    'An entry matches a job if each of its keys has exactly the value of the job. `env` must ' +
    "be the whole list of the job's own variables, written as it is there. An entry without a " +
    'match has no effect: an unwanted job runs, or a job that may fail breaks the build.',
  examples: [
    {
      source: 'rvm: [3.2, 3.3]\njobs:\n  exclude:\n    - rvm: 3.1\n',
      messages: [
        'this entry of "exclude" matches no job, because none has the value "3.1" under "rvm": correct ' +
          'or remove it',
      ],
    },
    {
      source:
        'rvm: [3.2, 3.3]\nos: [linux, osx]\njobs:\n  exclude:\n    - rvm: 3.2\n      os: linux\n' +
        '  allow_failures:\n    - rvm: 3.2\n      os: linux\n',
      messages: [
        'this entry of "allow_failures" matches no job, because none has all of its values together: ' +
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
    yield* unfit(config, jobs, plan, 'exclude')
    yield* unfit(config, jobs, plan, 'allow_failures')
  },
}

/** The entries of a list that fit no job. */
function* unfit(
  config: Config,
  jobs: Config,
  planOf: () => Outline,
  list: FittingList,
): Generator<Advice> {
  const entries = listOf(jobs[list])
  if (entries.length === 0) return
  const plan = planOf()
  if (entries.every((_entry, index) => plan.used[list].has(index))) return
  if (!plan.complete || plan.total > plan.jobs.length) return
  // Then `no_jobs` says why.
  if (plan.total === 0) return
  if (entries.length * plan.combinations > mostTries) return
  const fittingOf = (tried: readonly unknown[]) => fitting(config, jobs, list, tried)
  const tried = entries.map(withoutEvent)
  const fits = fittingOf(tried)
  for (const [index, keys] of tried.entries()) {
    if (fits.has(index) || !isMap(keys) || Object.keys(keys).length === 0) continue
    const each = Object.entries(keys)
    const fitAlone = fittingOf(each.map(([key, value]) => ({ [key]: value })))
    const culprit = each.find((_key, position) => !fitAlone.has(position))
    const message =
      `this entry of "${list}" matches no job, because none has ${missing(culprit)}: correct or ` +
      'remove it'
    yield { message, path: ['jobs', list, index] }
  }
}

/** An entry without branches and conditions, which depend on the event. */
function withoutEvent(entry: unknown): unknown {
  if (!isMap(entry)) return entry
  const { if: _if, branch: _branch, ...keys } = entry
  return keys
}

/** The indexes of the entries that would match a job if each were the whole list. */
function fitting(
  config: Config,
  jobs: Config,
  list: FittingList,
  entries: readonly unknown[],
): ReadonlySet<number> {
  const found = fittingEntries(config, jobs, list, entries)
  // Included jobs replace the only job of a matrix, but an entry may be meant for that job.
  if (list !== 'exclude' || jobs.include === undefined) return found
  return new Set([...found, ...fittingEntries(config, { ...jobs, include: [] }, list, entries)])
}

function missing(culprit: [string, unknown] | undefined): string {
  if (!culprit) return 'all of its values together'
  const [key, value] = culprit
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? `the value ${quote(value)} under "${key}"`
    : `its "${key}"`
}
