import { branchDecision } from '../../buildfile/branches.ts'
import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { expandJobs } from '../../buildfile/expand/expand-jobs.ts'
import type { DroppedJob, Plan } from '../../buildfile/expand/plan.ts'
import { type RootCondition, rootCondition } from '../../buildfile/expand/root-condition.ts'
import type { Config } from '../../buildfile/expand/values.ts'
import { readBuildFile } from '../../buildfile/read-build-file.ts'
import type { Build } from '../../domain/build.ts'
import { decide, type Decision, maximumJobs } from '../../domain/decision.ts'
import { lateRules, mentionsPages } from '../../domain/late-rules.ts'
import type { Settings } from '../../domain/settings.ts'
import type { RawConfig } from '../../store/raw-configs.ts'
import { buildFilePath, type ConfigRead } from './read-config.ts'
import { type NewMessage, storedMessage } from './stored-message.ts'

/** Everything that a build file says about the build of one commit. */
export interface BuildPlan {
  decision: Decision
  config: Config
  messages: NewMessage[]
  raw: RawConfig[]
  plan: Pick<Plan, 'jobs' | 'stages' | 'fast_finish'>
  /** Why the build ends at once, in words for its log; null for one that can run. */
  unusable: { error: NonNullable<Build['config_error']>; text: string } | null
}

/** What a plan is held against. */
export interface Event {
  /** The name that filters are asked about (CF-22). */
  branch: string
  data: ConditionData
}

/** Decides what to build from what was read. */
export function planBuild(
  read: ConfigRead,
  { branch, data }: Event,
  settings: Settings,
): BuildPlan {
  if (read.kind === 'unreachable') {
    return unusablePlan('fetch', `The build file could not be fetched: ${read.why}`)
  }
  if (read.kind === 'broken') {
    const { error, why, messages, raw } = read
    return { ...unusablePlan(error, why), messages, raw }
  }
  const { config, messages, raw, lineOf } = read.kind === 'read' ? read : withoutFile()
  const plan = expandJobs(config, { data, lineOf })
  const filter = branchDecision(config, branch)
  const decision = decide(lateRules, {
    branch,
    only_with_build_file: settings.builds_only_with_service_yml,
    build_file: { path: buildFilePath, found: read.kind === 'read' },
    filter,
    pages_listed: mentionsPages(filter.only),
    condition: conditionFacts(rootCondition(config, data), lineOf(['if'])),
    jobs: plan.total,
    dropped: countDropped(plan.dropped),
  })
  const told = plan.messages.map((message) =>
    storedMessage(message, buildFilePath, () => undefined),
  )
  const known = { config, messages: [...messages, ...told], raw }
  if (decision.rejection === null && (!plan.complete || plan.total > maximumJobs)) {
    return { ...unusablePlan('too_many_jobs', tooMany(plan)), ...known }
  }
  return { decision, ...known, plan, unusable: null }
}

/** The configuration of a commit that needs no build file: one job, which says that there is none. */
function withoutFile() {
  const { config } = readBuildFile('language: generic')
  return { config, messages: [], raw: [], lineOf: () => null }
}

/** What a root condition saw; the effort left for expressions is nobody's business. */
function conditionFacts(condition: RootCondition | null, line: number | null) {
  if (condition === null) return null
  const { saw, ...facts } = condition
  const seen = Object.fromEntries(saw.map(({ text, value }) => [text, value]))
  return { ...facts, saw: seen, line }
}

/** How many jobs were left out, by why. */
function countDropped(dropped: readonly DroppedJob[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { why } of dropped) counts[why.kind] = (counts[why.kind] ?? 0) + 1
  return counts
}

function tooMany({ total, complete }: Plan): string {
  const count = complete ? String(total) : `more than ${total}`
  return `The build file makes ${count} jobs; a build may have ${maximumJobs}.`
}

/** A build of one job that only tells what is wrong. */
function unusablePlan(error: NonNullable<Build['config_error']>, text: string): BuildPlan {
  const origin = { kind: 'error' as const, line: null }
  const place = { number: 1, stage: null, stage_number: null }
  const job = { config: {}, allow_failure: false, name: null, ...place, origin }
  return {
    decision: { checks: [], rejection: null },
    config: {},
    messages: [],
    raw: [],
    plan: { jobs: [job], stages: [], fast_finish: false },
    unusable: { error, text },
  }
}
