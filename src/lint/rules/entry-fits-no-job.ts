import type { Outline } from '../../buildfile/expand/plan.ts'
import { type EntryList, fittingEntries } from '../../buildfile/expand/rules/fitting-entries.ts'
import { isMap } from '../../domain/config-value.ts'
import { type Config, listOf } from '../../buildfile/expand/values.ts'
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
    yield* unfit(config, jobs, plan, 'exclude')
    yield* unfit(config, jobs, plan, 'allow_failures')
  },
}

/** The entries of a list that fit no job. */
function* unfit(
  config: Config,
  jobs: Config,
  planOf: () => Outline,
  list: EntryList,
): Generator<Advice> {
  const entries = listOf(jobs[list])
  if (entries.length === 0) return
  const plan = planOf()
  if (entries.every((_entry, index) => plan.used[list].has(index))) return
  if (!plan.complete || plan.total > plan.jobs.length) return
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
      `this entry of "${list}" fits no job, since none has ${missing(culprit)}: correct or ` +
      'remove it'
    yield { message, path: ['jobs', list, index] }
  }
}

/** Branches and conditions depend on the event. */
function withoutEvent(entry: unknown): unknown {
  if (!isMap(entry)) return entry
  const { if: _if, branch: _branch, ...keys } = entry
  return keys
}

/** The indices of the entries that fit a job if they are the list. */
function fitting(
  config: Config,
  jobs: Config,
  list: EntryList,
  entries: readonly unknown[],
): ReadonlySet<number> {
  const found = fittingEntries(config, jobs, list, entries)
  // The one job of the matrix gives way to included ones, but may be what an entry is meant for.
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
