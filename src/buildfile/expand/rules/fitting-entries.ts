import { rootOf } from '../drafts/draft.ts'
import { draftsOf } from '../drafts/drafts.ts'
import { maximumJobs } from '../../../domain/request/decision.ts'
import type { Config } from '../values.ts'
import { allowancesOf } from './allow-failures.ts'
import { excludesOf } from './exclude.ts'
import { judgeOf } from './judge.ts'
import { skips } from './skips.ts'
import { survivorsOf } from './survivors.ts'

export type EntryList = 'exclude' | 'allow_failures'

/**
 * The indices of those entries that fit a job if they are `jobs.exclude`, or `jobs.allow_failures`, of
 * this build file, each looked at for itself. Every condition counts as true.
 */
export function fittingEntries(
  config: Config,
  jobs: Config,
  list: EntryList,
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
