import { isMap } from '../../domain/config/config-value.ts'
import type { JobOrigin, AxisPosition } from '../../domain/job/job.ts'
import { maximumJobs } from '../../domain/request/decision.ts'
import type { ConditionData } from '../conditions/data.ts'
import type { Message } from '../messages/message.ts'
import type { Cell } from './drafts/axes.ts'
import { type Draft, type Root, rootOf, valueOf } from './drafts/draft.ts'
import { allowancesOf } from './rules/allow-failures.ts'
import type { Dropped } from './rules/dropped.ts'
import { type Judge, judgeOf } from './rules/judge.ts'
import { ruleFor } from './rules/rule.ts'
import { type Skips, skips } from './rules/skips.ts'
import { doubleFinder, survivorsOf } from './rules/survivors.ts'
import { type FileStage, type Staged, stage } from './stages.ts'
import type { Config, LineOf, SrcOf } from './values.ts'

export interface ExpandOptions {
  /** The data that conditions are evaluated with; without it every condition counts as true. */
  data?: ConditionData
  /** Returns the line where a part of the normal form was written. */
  lineOf?: LineOf
  /** Returns the source of a part that comes from another source, such as an import. */
  srcOf?: SrcOf
  /** Maximum number of jobs that the caller can use; by default the maximum for a build. */
  limit?: number
}

export interface Expansion {
  root: Root
  judge: Judge
  /** In final order. */
  jobs: Settled[]
  stages: FileStage[]
  dropped: Dropped[]
  notifications: Config
  messages: Message[]
  limit: number
  lineOf: LineOf
  srcOf: SrcOf
  originOf: (draft: Draft) => JobOrigin
  /** The number of jobs before any was dropped. */
  combinations: number
  /** False if expansion stopped early: there are more jobs than listed. */
  complete: boolean
}

export interface Settled extends Staged {
  allow_failure: boolean
  /** The index of the entry of `jobs.allow_failures` that allows the failure, from 0. */
  allowance: number | null
}

/** Expands a build file into jobs, after stages, conditions, exclusions and allowances. */
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
  // After the comparison, jobs can only have been given a stage or permission to fail.
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

/** Sorted by stage; within a stage, jobs that may fail come last (rule 18.6). */
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

/** Returns the origin of a job. */
function originFinder({ axes }: Root, lineOf: LineOf): (draft: Draft) => JobOrigin {
  const lines = axes.map(() => new Map<number, number | null>())

  /** Cached, because many cells share a value. */
  function lineOn(axis: number, index: number): number | null {
    const known = lines[axis]?.get(index)
    if (known !== undefined) return known
    const line = lineOf(axes[axis]?.paths(index) ?? [])
    lines[axis]?.set(index, line)
    return line
  }

  function ofCell(cell: Cell): JobOrigin {
    const cellValues = axes.map(({ key, values }, axis): AxisPosition => {
      const index = cell[axis] ?? 0
      return { key, number: index + 1, of: values.length, line: lineOn(axis, index) }
    })
    const varying = cellValues.findLast(({ of }) => of > 1)
    if (!varying) return { kind: 'default', line: null, cell: cellValues }
    return { kind: 'matrix', line: varying.line, cell: cellValues }
  }

  return ({ source }) => {
    if (source.kind === 'matrix') return ofCell(source.cell)
    if (source.kind === 'root') return { kind: 'default', line: null }
    const { index } = source
    return { kind: 'include', line: lineOf(['jobs', 'include', index]), entry: index + 1 }
  }
}

/** The section `notifications` without the entries whose condition does not hold (rule 18.4). */
function notificationsOf({ notifications }: Config, judge: Judge, skips: Skips): Config {
  if (!isMap(notifications)) return {}

  function left(type: string, entry: unknown): boolean {
    const condition = isMap(entry) ? entry.if : undefined
    const holds = judge.holds(condition)
    if (!holds) skips.reportNotification(type, condition)
    return holds
  }

  return Object.fromEntries(
    Object.entries(notifications).map(([type, entries]) => [
      type,
      Array.isArray(entries) ? entries.filter((entry) => left(type, entry)) : entries,
    ]),
  )
}
