import { maximumJobs } from '../../domain/request/decision.ts'
import { configOf, rootOf } from './drafts/draft.ts'
import { draftsOf } from './drafts/drafts.ts'
import type { EntryList } from './drafts/entries.ts'
import { allowancesOf } from './rules/allow-failures.ts'
import { excludesOf } from './rules/exclude.ts'
import { judgeOf } from './rules/judge.ts'
import { skips } from './rules/skips.ts'
import { survivorsOf } from './rules/survivors.ts'
import type { Config } from './values.ts'

export interface Matrix {
  /** The matrix keys in use, in order. */
  axes: string[]
  /** The whole jobs, as if every condition held; without stages. */
  rows: Config[]
}

/** Makes the jobs of a build file's normal form, at most the first 10,000. */
export function expandMatrix(config: Config): Matrix {
  const root = rootOf(config)
  const { kept } = survivorsOf(root, judgeOf(root, undefined), skips(), Infinity)
  return { axes: root.axes.map(({ key }) => key), rows: kept.map((draft) => configOf(root, draft)) }
}

/** The lists whose entries select jobs instead of adding them. */
export type FittingList = Exclude<EntryList, 'include'>

/**
 * The indices of entries that fit a job when they are used as `jobs.exclude`, or `jobs.allow_failures`,
 * of this build file, each entry on its own. Every condition counts as true.
 */
export function fittingEntries(
  config: Config,
  jobs: Config,
  list: FittingList,
  entries: readonly unknown[],
): ReadonlySet<number> {
  const root = rootOf({ ...config, jobs: { ...jobs, [list]: entries } })
  const [drafts, rules] =
    list === 'exclude'
      ? [draftsOf(root).drafts, excludesOf(root)]
      : [
          survivorsOf(root, judgeOf(root, undefined), skips(), maximumJobs).kept,
          allowancesOf(root, undefined),
        ]
  const fitting = new Set<number>()
  for (const draft of drafts) {
    for (const { index, fits } of rules) if (!fitting.has(index) && fits(draft)) fitting.add(index)
  }
  return fitting
}
