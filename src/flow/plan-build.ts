import { branchDecision } from '../buildfile/branches.ts'
import { expandJobs, type Plan } from '../buildfile/expand.ts'
import { readBuildFile } from '../buildfile/read.ts'
import type { Build } from '../domain/build.ts'
import { decide, type Decision, lateRules, maximumJobs, mentionsPages } from '../domain/decision.ts'
import type { RequestMessage } from '../domain/request.ts'
import type { Settings } from '../domain/settings.ts'
import type { RawConfig } from '../store/raw-configs.ts'
import { buildFilePath, type ConfigRead } from './read-config.ts'

export type NewMessage = Omit<RequestMessage, 'id' | 'request_id'>

/** Everything that a build file says about the build of one commit. */
export interface BuildPlan {
  decision: Decision
  config: Record<string, unknown>
  messages: NewMessage[]
  raw: RawConfig[]
  plan: Plan
  /** Why the build ends at once, in words for its log; null for one that can run. */
  unusable: { error: NonNullable<Build['config_error']>; text: string } | null
}

/** Decides what to build from what was read. `branch` is the name that filters are asked about. */
export function planBuild(read: ConfigRead, branch: string, settings: Settings): BuildPlan {
  if (read.kind === 'unreachable') {
    return unusablePlan('fetch', `The build file could not be fetched: ${read.why}`)
  }
  const file = read.kind === 'read' ? read.file : readBuildFile('language: generic')
  const messages = file.findings.map((finding) => ({ ...finding, src: buildFilePath }))
  const raw = read.kind === 'read' ? [read.raw] : []
  if (file.error) {
    const { text, line, column } = file.error
    const where = line === null ? '' : ` (line ${line}, column ${column ?? 1})`
    const broken = unusablePlan('parse', `${buildFilePath} cannot be read${where}: ${text}`)
    return { ...broken, raw, messages: [...messages, { ...file.error, src: buildFilePath }] }
  }

  const plan = expandJobs(file)
  const filter = branchDecision(file.config, branch)
  const decision = decide(lateRules, {
    branch,
    only_with_build_file: settings.builds_only_with_service_yml,
    build_file: { path: buildFilePath, found: read.kind === 'read' },
    filter,
    pages_listed: mentionsPages(filter.only),
    jobs: plan.jobs.length,
  })
  if (decision.rejection === null && plan.jobs.length > maximumJobs) {
    const text = `The build file makes ${plan.jobs.length} jobs; a build may have ${maximumJobs}.`
    return { ...unusablePlan('too_many_jobs', text), config: file.config, raw, messages }
  }
  return { decision, config: file.config, messages, raw, plan, unusable: null }
}

/** A build of one job that only tells what is wrong (pipeline 3.3). */
function unusablePlan(error: NonNullable<Build['config_error']>, text: string): BuildPlan {
  const origin = { kind: 'error' as const, line: null }
  const job = { config: {}, allow_failure: false, name: null, stage: null, origin }
  return {
    decision: { checks: [], rejection: null },
    config: {},
    messages: [],
    raw: [],
    plan: { jobs: [job], stages: [], fast_finish: false },
    unusable: { error, text },
  }
}
