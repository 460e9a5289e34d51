import { maximumJobs } from '../../domain/request/decision.ts'
import type { JobOrigin } from '../../domain/job/job.ts'
import type { ConditionData } from '../conditions/data.ts'
import type { Message } from '../messages/message.ts'
import { allowancesOf } from './rules/allow-failures.ts'
import { type Draft, type Root, rootOf, valueOf } from './drafts/draft.ts'
import type { Dropped } from './rules/dropped.ts'
import { type Judge, judgeOf } from './rules/judge.ts'
import { notificationsOf } from './rules/notifications.ts'
import { originFinder } from './origin.ts'
import { ruleFor } from './rules/rule.ts'
import { type Skips, skips } from './rules/skips.ts'
import { type FileStage, type Staged, stage } from './stages.ts'
import { doubleFinder, survivorsOf } from './rules/survivors.ts'
import type { Config, LineOf, SrcOf } from './values.ts'

export interface ExpandOptions {
  /** What conditions are held against; without it every condition counts as true. */
  data?: ConditionData
  /** Returns the line that a part of the normal form was written in. */
  lineOf?: LineOf
  /** Returns the source of a part that is from another one, such as an import. */
  srcOf?: SrcOf
  /** The most jobs that are of use; as many as a build may have, by default. */
  limit?: number
}

export interface Expansion {
  root: Root
  judge: Judge
  /** In their final order. */
  jobs: Settled[]
  stages: FileStage[]
  dropped: Dropped[]
  notifications: Config
  messages: Message[]
  limit: number
  lineOf: LineOf
  srcOf: SrcOf
  originOf: (draft: Draft) => JobOrigin
  /** How many jobs there were before any was dropped. */
  combinations: number
  /** False where expanding stopped early: there are more jobs than these. */
  complete: boolean
}

export interface Settled extends Staged {
  allow_failure: boolean
  /** The entry of `jobs.allow_failures` that allows it, from 0. */
  allowance: number | null
}

/** What stages, conditions, exclusions and allowances leave of the jobs of a build file. */
export function expand(config: Config, options: ExpandOptions): Expansion {
  const { data: event, limit = maximumJobs } = options
  const { lineOf = () => null, srcOf = () => undefined } = options
  const root = rootOf(config)
  const judge = judgeOf(root, event)
  const skipped = skips()
  const { kept, dropped, ...counted } = survivorsOf(root, judge, skipped, limit)
  const staging = stage(root, kept, judge, skipped)
  const notifications = notificationsOf(config, judge, skipped)
  const settled = allow(root, staging.staged, judge, skipped, event?.branch)
  const ordered = inOrder(settled)
  // Only a stage, or that it may fail, is given to a job that has been compared with the others.
  const isAsCompared =
    staging.stages.length === 0 && settled.every(({ allowance }) => allowance === null)
  const { jobs, doubles } = isAsCompared
    ? { jobs: ordered, doubles: [] }
    : withoutDoubles(root, ordered)
  return {
    root,
    judge,
    jobs,
    stages: staging.stages,
    notifications,
    ...counted,
    dropped: [...dropped, ...staging.dropped, ...doubles],
    messages: skipped.messages(),
    limit,
    lineOf,
    srcOf,
    originOf: originFinder(root, lineOf),
  }
}

function allow(
  root: Root,
  staged: readonly Staged[],
  judge: Judge,
  skips: Skips,
  branch: unknown,
): Settled[] {
  const allowances = allowancesOf(root, branch)
  return staged.map(({ draft, stage }, index) => {
    const skipped = (condition: unknown) => skips.report('allow_failure', condition, index + 1)
    const rule = ruleFor(draft, allowances, judge, skipped)
    if (rule) draft.own.set('allow_failure', true)
    const allow_failure = valueOf(root, draft, 'allow_failure') === true
    return { draft, stage, allowance: rule?.index ?? null, allow_failure }
  })
}

/** By stage, and in a stage those that may fail last (rule 18.6). */
function inOrder(jobs: readonly Settled[]): Settled[] {
  const orderOf = ({ stage, allow_failure }: Settled) => stage * 2 + Number(allow_failure)
  return jobs.toSorted((a, b) => orderOf(a) - orderOf(b))
}

function withoutDoubles(root: Root, settled: readonly Settled[]) {
  const equalTo = doubleFinder(root)
  const jobs: Settled[] = []
  const doubles: Dropped[] = []
  for (const job of settled) {
    const of = equalTo(job.draft)
    if (of) doubles.push({ draft: job.draft, why: { kind: 'duplicate', of } })
    else jobs.push(job)
  }
  return { jobs, doubles }
}
