import { isMap } from '../../domain/config/config-value.ts'
import { displayEntry } from './display-value.ts'
import { expand, type Expansion, type ExpandOptions, type Settled } from './expansion.ts'
import { columnsOf, type Facts, factsOf } from './facts.ts'
import {
  droppedJobs,
  type DroppedJob,
  type Plan,
  plannedJobs,
  type PlannedJob,
  plannedStages,
} from './plan.ts'
import type { Config } from './values.ts'

/** The jobs of a build file, and why: data for people, without encrypted values. */
export interface Explanation extends Pick<
  Plan,
  'total' | 'complete' | 'combinations' | 'stages' | 'messages' | 'fast_finish'
> {
  /** The keys that describe a job, or in which jobs differ, in order, except for `env`. */
  columns: string[]
  /** The matrix, with the number of values on each axis. */
  axes: { key: string; values: number }[]
  /** The `env` entries that every job has, one text for each entry. */
  global_env: string[]
  jobs: ExplainedJob[]
  dropped: ExplainedDrop[]
}

export interface ExplainedJob extends Omit<PlannedJob, 'config' | 'allow_failure'>, Facts {
  /** Null for a job that must pass. */
  allowed_to_fail: Allowance | null
}

export interface ExplainedDrop extends DroppedJob, Facts {}

/** The origin of an allowance: an entry of `jobs.allow_failures`, from 1, or null for the job itself. */
export interface Allowance {
  entry: number | null
  line: number | null
}

/** Explains where each job comes from, and why others are dropped. */
export function explainJobs(config: Config, options: ExpandOptions = {}): Explanation {
  const expansion = expand(config, options)
  const { root, complete, combinations, messages } = expansion
  const columns = columnsOf(expansion)
  return {
    total: expansion.jobs.length,
    complete,
    combinations,
    columns,
    axes: root.axes.map(({ key, values }) => ({ key, values: values.length })),
    global_env: root.env.global.map(displayEntry),
    stages: plannedStages(expansion),
    jobs: plannedJobs(expansion).map(({ settled, job }) => {
      const { config: _config, allow_failure: _allow_failure, ...rest } = job
      const allowed_to_fail = allowanceOf(expansion, settled)
      return { ...rest, ...factsOf(root, settled.draft, columns), allowed_to_fail }
    }),
    dropped: droppedJobs(expansion).map(({ draft, job }) => {
      return { ...job, ...factsOf(root, draft, columns) }
    }),
    messages,
    fast_finish: isMap(config.jobs) && config.jobs.fast_finish === true,
  }
}

function allowanceOf({ lineOf }: Expansion, settled: Settled): Allowance | null {
  const { draft, allow_failure, allowance } = settled
  if (!allow_failure) return null
  if (allowance !== null) {
    return { entry: allowance + 1, line: lineOf(['jobs', 'allow_failures', allowance]) }
  }
  const { source } = draft
  const path = source.kind === 'include' ? ['jobs', 'include', source.index, 'allow_failure'] : []
  return { entry: null, line: lineOf(path) }
}
