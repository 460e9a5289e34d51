import type { JobConfig, JobOrigin } from '../../domain/job.ts'
import type { ConditionData } from '../conditions/data.ts'
import type { Message } from '../message.ts'
import { configOf, type Draft, type Root, type Source, valueOf } from './draft.ts'
import { expand, type Expansion } from './expansion.ts'
import { type LineOf, originTeller } from './origin.ts'
import { type Config, isMap } from './values.ts'
import { type WhyDropped, whyTeller } from './why.ts'

export interface ExpandOptions {
  /** What conditions are held against; without it every condition counts as true. */
  data?: ConditionData
  lineOf?: LineOf
  /** The most jobs that are of use. */
  limit?: number
}

export interface PlannedJob {
  /** The whole job. */
  config: JobConfig
  allow_failure: boolean
  name: string | null
  /** As the stage of the build is spelled. */
  stage: string | null
  /** Place in the build, counted from 1: the end of `7.1`. */
  number: number
  /** `<stage>.<index>`, both counted from 1; null without stages. */
  stage_number: string | null
  origin: JobOrigin
}

export interface PlannedStage {
  name: string
  /** Counted from 1. */
  number: number
  /** Its entry in the section `stages`, or what one would say. */
  config: Config
}

export interface DroppedJob {
  name: string | null
  stage: string | null
  origin: JobOrigin
  why: WhyDropped
}

export interface Plan {
  /** In their final order. Of too many only the first. */
  jobs: PlannedJob[]
  /** How many jobs there are; at least, where they are not all looked at. */
  total: number
  complete: boolean
  /** Those that have jobs, in order; empty for a build without stages. */
  stages: PlannedStage[]
  /** The matrix keys in use, in order. */
  axes: string[]
  /** What is left out because of its condition. */
  messages: Message[]
  dropped: DroppedJob[]
  /** The section without the entries whose condition does not hold. */
  notifications: Config
  fast_finish: boolean
}

const mostJobs = 200

/**
 * Makes the jobs of a build from the normal form of its build file (sections 17 and 18). A plan
 * that is not complete, or has more jobs than the limit, is not to be built.
 */
export function expandJobs(config: Config, options: ExpandOptions = {}): Plan {
  const { data, lineOf = () => null, limit = mostJobs } = options
  const expansion = expand(config, data, limit)
  const { root, messages, notifications, complete } = expansion
  const originOf = originTeller(root, lineOf)
  const whyOf = whyTeller(expansion, originOf, lineOf)
  return {
    jobs: plannedJobs(expansion, originOf, limit),
    total: expansion.jobs.length,
    complete,
    stages: expansion.stages.map(({ name, entry }, index) => {
      return { name, number: index + 1, config: entry }
    }),
    axes: root.axes.map(({ key }) => key),
    messages,
    dropped: expansion.dropped.map((dropped) => {
      const { draft } = dropped
      return { ...named(root, draft), origin: originOf(draft.source), why: whyOf(dropped) }
    }),
    notifications,
    fast_finish: isMap(config.jobs) && config.jobs.fast_finish === true,
  }
}

function plannedJobs(
  { root, jobs, stages }: Expansion,
  originOf: (source: Source) => JobOrigin,
  limit: number,
): PlannedJob[] {
  const sizes = stages.map(() => 0)
  return jobs.slice(0, limit).map(({ draft, stage, allow_failure }, index) => {
    const place = (sizes[stage] ?? 0) + 1
    sizes[stage] = place
    return {
      config: configOf(root, draft),
      allow_failure,
      name: textIn(root, draft, 'name'),
      stage: stages[stage]?.name ?? null,
      number: index + 1,
      stage_number: stages[stage] ? `${stage + 1}.${place}` : null,
      origin: originOf(draft.source),
    }
  })
}

function named(root: Root, draft: Draft): Pick<DroppedJob, 'name' | 'stage'> {
  return { name: textIn(root, draft, 'name'), stage: textIn(root, draft, 'stage') }
}

function textIn(root: Root, draft: Draft, key: string): string | null {
  const value = valueOf(root, draft, key)
  return typeof value === 'string' && value !== '' ? value : null
}
