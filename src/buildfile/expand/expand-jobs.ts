import { expand, type ExpandOptions } from './expansion.ts'
import { distinguished, droppedJobs, type Plan, plannedJobs, plannedStages } from './plan.ts'
import { type Config, isMap } from './values.ts'

/**
 * Makes the jobs of a build from the normal form of its build file. A plan
 * that is not complete, or has more jobs than the limit, is not to be built.
 */
export function expandJobs(config: Config, options: ExpandOptions = {}): Plan {
  const expansion = expand(config, options)
  const { root, complete, combinations, messages, notifications } = expansion
  return {
    jobs: plannedJobs(expansion).map(({ job }) => job),
    total: expansion.jobs.length,
    complete,
    combinations,
    stages: plannedStages(expansion),
    axes: root.axes.map(({ key }) => key),
    messages,
    dropped: droppedJobs(expansion).map(({ job }) => job),
    ...distinguished(expansion),
    notifications,
    fast_finish: isMap(config.jobs) && config.jobs.fast_finish === true,
  }
}
