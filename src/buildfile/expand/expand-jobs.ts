import { expand, type Expansion, type ExpandOptions } from './expansion.ts'
import {
  distinguished,
  droppedJobs,
  type Outline,
  type Plan,
  plannedJobs,
  plannedStages,
} from './plan.ts'
import { isMap } from '../../domain/config-value.ts'
import type { Config } from './values.ts'

/**
 * Makes the jobs of a build from the normal form of its build file. A plan
 * that is not complete, or has more jobs than the limit, is not to be built.
 */
export function expandJobs(config: Config, options: ExpandOptions = {}): Plan {
  const expansion = expand(config, options)
  return {
    ...outlineOf(expansion),
    stages: plannedStages(expansion),
    messages: expansion.messages,
    ...distinguished(expansion),
    notifications: expansion.notifications,
    fast_finish: isMap(config.jobs) && config.jobs.fast_finish === true,
  }
}

/** The jobs alone, as if every condition held. */
export function outlineJobs(config: Config): Outline {
  return outlineOf(expand(config, {}))
}

function outlineOf(expansion: Expansion): Outline {
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
