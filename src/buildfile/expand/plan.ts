import type { JobConfig, JobOrigin } from '../../domain/job/job.ts'
import type { Message } from '../messages/message.ts'
import { configOf, type Draft, type Root, valueOf } from './drafts/draft.ts'
import type { Expansion, Settled } from './expansion.ts'
import { differingKeys, type Facts, factsOf } from './facts.ts'
import { type DropReason, dropReasons } from './rules/drop-reason.ts'
import type { Config } from './values.ts'

/** The jobs of a build file, and the jobs that are left out. */
export interface PlannedJobs {
  /** In final order; limited to the first jobs if there are too many. */
  jobs: PlannedJob[]
  /** The number of jobs; a lower bound in a plan that is not complete. */
  total: number
  /** False if expansion stopped early. */
  complete: boolean
  /** The number of jobs in the matrix and `jobs.include`, before any is dropped. */
  combinations: number
  /** The matrix keys in use, in order. */
  axes: string[]
  dropped: DroppedJob[]
}

/** The jobs as if every condition held. */
export interface Outline extends PlannedJobs {
  /** The indices of entries that exclude jobs, or allow them to fail. */
  used: Readonly<Record<'exclude' | 'allow_failures', ReadonlySet<number>>>
}

export interface Plan extends PlannedJobs {
  /** The stages that have jobs, in order; empty for a build without stages. */
  stages: PlannedStage[]
  /** The keys in which the jobs differ, except for `env`. */
  differing: string[]
  /** Messages about parts that are left out because of their conditions. */
  messages: Message[]
  /** The first dropped jobs, each with its differences from all others. */
  left_out: (DroppedJob & Facts)[]
  /** The section without the entries whose condition does not hold. */
  notifications: Config
  fast_finish: boolean
}

export interface PlannedJob {
  /** The whole job. */
  config: JobConfig
  allow_failure: boolean
  name: string | null
  /** The stage's name as the build spells it. */
  stage: string | null
  /** Position in the build, from 1: the end of `7.1`. */
  number: number
  /** `<stage>.<index>`, both from 1; null without stages. */
  stage_number: string | null
  origin: JobOrigin
}

export interface PlannedStage {
  name: string
  /** Counted from 1. */
  number: number
  /** The stage's entry in the section `stages`, or an equivalent entry. */
  config: Config
}

export interface DroppedJob {
  name: string | null
  stage: string | null
  origin: JobOrigin
  why: DropReason
}

/** The jobs up to the limit, each with its draft. */
export function plannedJobs(expansion: Expansion): { settled: Settled; job: PlannedJob }[] {
  const { root, jobs, stages, limit, originOf } = expansion
  const sizes = stages.map(() => 0)
  return jobs.slice(0, limit).map((settled, index) => {
    const { draft, stage, allow_failure } = settled
    const numberInStage = (sizes[stage] ?? 0) + 1
    sizes[stage] = numberInStage
    const job = {
      config: configOf(root, draft),
      allow_failure,
      name: textIn(root, draft, 'name'),
      stage: stages[stage]?.name ?? null,
      number: index + 1,
      stage_number: stages[stage] ? `${stage + 1}.${numberInStage}` : null,
      origin: originOf(draft),
    }
    return { settled, job }
  })
}

export function plannedStages({ stages }: Expansion): PlannedStage[] {
  return stages.map(({ name, entry }, index) => ({ name, number: index + 1, config: entry }))
}

export function droppedJobs(expansion: Expansion): { draft: Draft; job: DroppedJob }[] {
  const { root, dropped, originOf } = expansion
  const whyOf = dropReasons(expansion)
  return dropped.map((one) => {
    const { draft } = one
    const name = textIn(root, draft, 'name')
    const stage = textIn(root, draft, 'stage')
    return { draft, job: { name, stage, origin: originOf(draft), why: whyOf(one) } }
  })
}

export function usedEntries({ jobs, dropped }: Expansion): Outline['used'] {
  return {
    exclude: new Set(dropped.flatMap(({ why }) => (why.kind === 'excluded' ? [why.entry] : []))),
    allow_failures: new Set(jobs.flatMap(({ allowance }) => allowance ?? [])),
  }
}

/** No one reads more left-out jobs. */
const mostLeftOut = 50

/** The keys in which jobs differ; the differences in full, for the left-out jobs only. */
export function distinguished(expansion: Expansion): Pick<Plan, 'differing' | 'left_out'> {
  const { root, jobs, dropped } = expansion
  const columns = differingKeys(
    root,
    [...jobs, ...dropped].map(({ draft }) => draft),
  )
  const left_out = droppedJobs({ ...expansion, dropped: dropped.slice(0, mostLeftOut) }).map(
    ({ draft, job }) => ({ ...job, ...factsOf(root, draft, columns) }),
  )
  const differing = differingKeys(
    root,
    jobs.map(({ draft }) => draft),
  )
  return { differing, left_out }
}

function textIn(root: Root, draft: Draft, key: string): string | null {
  const value = valueOf(root, draft, key)
  return typeof value === 'string' && value !== '' ? value : null
}
