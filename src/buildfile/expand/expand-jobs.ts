import { isMap } from '../../domain/config/config-value.ts'
import { expand, type Expansion, type ExpandOptions } from './expansion.ts'
import {
  distinguished,
  droppedJobs,
  type Outline,
  type Plan,
  type PlannedJobs,
  plannedJobs,
  plannedStages,
  usedEntries,
} from './plan.ts'
import type { Config } from './values.ts'

/**
 * Makes the jobs of a build from the normal form of its build file. A plan that is not complete, or has
 * more jobs than the limit, must not be built.
 */
export function expandJobs(config: Config, options: ExpandOptions = {}): Plan {
  const expansion = expand(config, options)
  return {
    ...jobsOf(expansion),
    stages: plannedStages(expansion),
    messages: expansion.messages,
    ...distinguished(expansion),
    notifications: expansion.notifications,
    fast_finish: isMap(config.jobs) && config.jobs.fast_finish === true,
  }
}

export function outlineJobs(config: Config): Outline {
  const expansion = expand(config, {})
  return { ...jobsOf(expansion), used: usedEntries(expansion) }
}

/** The number of jobs, as if every condition held; a lower bound if there are too many. */
export function countJobs(config: Config): number {
  return expand(config, {}).jobs.length
}

function jobsOf(expansion: Expansion): PlannedJobs {
  const { root, jobs, complete, combinations } = expansion
  return {
    jobs: plannedJobs(expansion).map(({ job }) => job),
    total: jobs.length,
    complete,
    combinations,
    axes: root.axes.map(({ key }) => key),
    dropped: droppedJobs(expansion).map(({ job }) => job),
  }
}
