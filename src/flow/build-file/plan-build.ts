import { type BranchDecision, branchDecision } from '../../buildfile/branches.ts'
import { alwaysSame } from '../../buildfile/conditions/always-same.ts'
import type { Constant } from '../../buildfile/conditions/constant.ts'
import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { suspects } from '../../buildfile/conditions/explain.ts'
import { parseCondition } from '../../buildfile/conditions/parse.ts'
import { expandJobs } from '../../buildfile/expand/expand-jobs.ts'
import type { DroppedJob, Plan } from '../../buildfile/expand/plan.ts'
import { type RootCondition, rootCondition } from '../../buildfile/expand/root-condition.ts'
import type { Config, Path } from '../../buildfile/expand/values.ts'
import { readBuildFile } from '../../buildfile/read-build-file.ts'
import type { Check } from '../../domain/request/check.ts'
import type { ConfigError } from '../../domain/request/config-errors.ts'
import {
  decide,
  type Decision,
  fetchedCheck,
  maximumJobs,
  usableCheck,
} from '../../domain/request/decision.ts'
import { type FilteredName, lateRules, mentionsPages } from '../../domain/request/late-rules.ts'
import type { RequestVariables } from '../../domain/request/request.ts'
import type { Settings } from '../../domain/settings.ts'
import { charactersIn } from '../../domain/text/shortened.ts'
import { storableValue } from '../../domain/text/storable-text.ts'
import { leftOutTexts } from '../../lint/jobs/left-out-texts.ts'
import { seenText } from '../../lint/jobs/seen-text.ts'
import { quote } from '../../lint/quote.ts'
import { shownCondition } from '../../lint/secret-conditions.ts'
import type { RawConfig } from '../../store/requests/raw-configs.ts'
import { buildFilePath, type ConfigRead, locatorsIn, type PlaceOf } from './config-read.ts'
import { type NewMessage, storedMessage } from './stored-message.ts'
import { withFindings } from './with-findings.ts'

/** The build of one commit, as its build file describes it. All of its texts can be stored. */
export interface BuildPlan {
  decision: Decision
  config: Config
  messages: NewMessage[]
  raw: RawConfig[]
  plan: Pick<Plan, 'jobs' | 'stages' | 'fast_finish' | 'differing' | 'notifications'>
  /** Why the build ends immediately, as a text for its log; null if it can run. */
  unusable: { error: ConfigError; text: string } | null
}

/** The event that branch filters and conditions are evaluated for. */
export interface PlannedEvent {
  /** The name that branch filters are matched against (CF-22). */
  branch: string
  data: ConditionData
  /** The variables of an API request. */
  variables: RequestVariables | null
}

/** Decides what to build from the configuration that was read. */
export function planBuild(read: ConfigRead, event: PlannedEvent, settings: Settings): BuildPlan {
  return storableValue(planOf(read, event, settings))
}

function planOf(
  read: ConfigRead,
  { branch, data, variables }: PlannedEvent,
  settings: Settings,
): BuildPlan {
  if (read.kind === 'unreachable') {
    const text = `The build file could not be fetched: ${read.reason}`
    return unusablePlan({ error: 'fetch', text }, fetchedCheck(text))
  }
  if (read.kind === 'broken') {
    const { error, reason: text, says, source, rest, messages, raw } = read
    const notifications = rest === null ? {} : notificationsIn(rest, data)
    const found = usableCheck(says, source)
    return { ...unusablePlan({ error, text }, found, notifications), messages, raw }
  }
  const { config: own, messages, raw, placeOf } = read.kind === 'read' ? read : withoutFile()
  const config = withVariables(own, variables)
  const { lineOf, srcOf } = locatorsIn(placeOf)
  const plan = expandJobs(config, { data, lineOf, srcOf })
  const tooLong = lengthText(config, plan.jobs)
  if (tooLong !== null) {
    const text = `${buildFilePath} cannot be used: ${tooLong}`
    return {
      ...unusablePlan({ error: 'too_costly', text }, usableCheck(text, null)),
      messages,
      raw,
    }
  }
  const filter = branchDecision(config, branch)
  const decision = decide(lateRules, {
    branch,
    names: namesOf(data),
    only_with_build_file: settings.builds_only_with_service_yml,
    build_file: {
      path: buildFilePath,
      found: read.kind === 'read',
      brought: read.kind === 'read' && read.brought,
      before: read.kind === 'missing' && read.before,
      lost: read.kind === 'missing' && read.lost,
      other: read.kind === 'missing' ? read.other : null,
    },
    filter: { ...filter, place: placeOfFilter(filter, placeOf) },
    pages_listed: mentionsPages(filter.only),
    condition: conditionFacts(config, rootCondition(config, data), data, placeOf(['if'])),
    jobs: plan.total,
    dropped: countDropped(plan.dropped),
    unreadable: plan.dropped.some(({ why }) => 'error' in why && why.error !== null),
    never: config.conditions !== 'v0' && hasOneThatNeverHolds(plan.dropped),
    left_out: leftOutTexts(plan.left_out, plan.dropped.length),
    left_out_line: lineOfDrop(plan.dropped),
  })
  const expansionMessages = plan.messages.map((message) =>
    withFindings(
      storedMessage(message, buildFilePath, () => undefined),
      plan.dropped,
    ),
  )
  const known = { config, messages: [...messages, ...expansionMessages], raw }
  if (decision.rejection === null && (!plan.complete || plan.total > maximumJobs)) {
    const text = tooMany(plan)
    const line = lineOf(pathOfMost(plan))
    const found = usableCheck(text, line === null ? null : { file: buildFilePath, line })
    const unusable = { error: 'too_many_jobs', text } as const
    return { ...unusablePlan(unusable, found, plan.notifications), ...known }
  }
  const { jobs, stages, fast_finish, differing, notifications } = plan
  const built = { jobs, stages, fast_finish, differing, notifications }
  return { decision, ...known, plan: built, unusable: null }
}

/**
 * Adds variables for all jobs to a configuration, after its own global variables; a job's own variables
 * override both. They are added after merging, because there one form of `env` would replace another.
 */
function withVariables(config: Config, variables: RequestVariables | null): Config {
  if (!variables) return config
  const { global = [], ...others } = (config.env ?? {}) as { global?: unknown[] }
  return { ...config, env: { global: [...global, variables], ...others } }
}

/** Maximum characters of a configuration, and of all jobs together: each is stored, and shown in lists. */
const most = { config: 250_000, jobs: 5_000_000 }

/**
 * Names the part that is too long to be stored; null if there is none. Aliases can make a short
 * file long.
 */
function lengthText(config: Config, jobs: Plan['jobs']): string | null {
  if (charactersIn(config, most.config) > most.config) {
    return `with its imports and aliases it has more than ${most.config} characters`
  }
  const ofJobs = jobs.map(({ config }) => config)
  return charactersIn(ofJobs, most.jobs) > most.jobs
    ? `its ${jobs.length} jobs have more than ${most.jobs} characters`
    : null
}

/** The configuration of a commit that needs no build file: one job with defaults. */
function withoutFile() {
  const { config } = readBuildFile('language: generic')
  return { config, messages: [], raw: [], placeOf: () => null }
}

/** A root condition with the values it used, without its remaining effort. */
function conditionFacts(
  { conditions }: Config,
  condition: RootCondition | null,
  data: ConditionData,
  place: Check['source'],
) {
  if (condition === null) return null
  const { saw, ...facts } = condition
  const values = Object.fromEntries(saw.map(({ text, value }) => [text, value]))
  const shown = shownCondition(facts.condition)
  const isFalse = !facts.holds && facts.error === null && conditions !== 'v0'
  const never = isFalse ? neverText(facts.condition) : null
  const suspect = isFalse && never === null ? suspectText(facts.condition, data) : null
  return { ...facts, condition: shown, saw: values, seen: seenText(saw), never, suspect, place }
}

/** Whether one of the jobs was left out by a condition that never holds, as after a typo. */
function hasOneThatNeverHolds(dropped: readonly DroppedJob[]): boolean {
  // Many jobs may have the same condition; it is read once.
  const conditions = new Set(
    dropped.flatMap(({ why }) => ('condition' in why && why.error === null ? why.condition : [])),
  )
  return [...conditions].some((condition) => neverText(condition) !== null)
}

/** Why a condition never holds, for any build; null if it may hold, or is literally `false`. */
function neverText(condition: string): string | null {
  const same = alwaysSame(parseCondition(condition))
  if (same === undefined || same.reason === 'literal') return null
  const terms = listOf(same.terms)
  return same.reason === 'between_terms'
    ? `${terms} contradict each other`
    : `${terms} is false for every build`
}

/** A text about the suspicious terms of a condition that does not hold this time; null without any. */
function suspectText(condition: string, data: ConditionData): string | null {
  const terms = suspects(parseCondition(condition), data).flatMap(({ terms }) => terms)
  if (terms.length === 0) return null
  return `${listOf(terms)} ${terms.length === 1 ? 'does' : 'do'} not depend on the build`
}

const listOf = (terms: Constant['terms']) =>
  terms.map(({ text }) => quote(shownCondition(text))).join(' and ')

function namesOf({ type, tag }: ConditionData): FilteredName {
  if (type === 'pull_request') return 'base branch'
  return (tag ?? null) === null ? 'branch' : 'tag'
}

/** The place of the list that decided, or of its entry. */
function placeOfFilter({ by, index }: BranchDecision, placeOf: PlaceOf): Check['source'] {
  if (by === null) return null
  const entry = index === undefined ? null : placeOf(['branches', by, index])
  return entry ?? placeOf(['branches', by]) ?? placeOf(['branches'])
}

/** How many jobs were left out, by reason. */
function countDropped(dropped: readonly DroppedJob[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { why } of dropped) counts[why.kind] = (counts[why.kind] ?? 0) + 1
  return counts
}

/** The line of the first left-out job whose reason has a line. */
function lineOfDrop(dropped: readonly DroppedJob[]): number | null {
  const [line] = dropped.flatMap(({ why }) => ('line' in why && why.line !== null ? why.line : []))
  return line ?? null
}

function tooMany({ total, complete }: Plan): string {
  const count = complete ? String(total) : `more than ${total}`
  return `The build file makes ${count} jobs; a build can have at most ${maximumJobs}.`
}

/** The cause of most jobs: the longest axis of the matrix, or else the list of included jobs. */
function pathOfMost({ jobs: [first] }: Plan): Path {
  const longest = first?.origin.cell?.toSorted((one, other) => other.of - one.of)[0]
  return longest ? [longest.key] : ['jobs', 'include']
}

/** The recipients of notifications about a build for which no jobs can be created. */
function notificationsIn(config: Config, data: ConditionData): Plan['notifications'] {
  const isTooLong = charactersIn(config, most.config) > most.config
  return isTooLong ? {} : expandJobs(config, { data }).notifications
}

/** A build of one job that only shows the error, and the recipients of notifications about it. */
function unusablePlan(
  unusable: NonNullable<BuildPlan['unusable']>,
  found: Check,
  notifications: Plan['notifications'] = {},
): BuildPlan {
  const origin = { kind: 'error' as const, line: null }
  const numbers = { number: 1, stage: null, stage_number: null }
  const job = { config: {}, allow_failure: false, name: null, ...numbers, origin }
  return {
    decision: { checks: [found], rejection: null },
    config: {},
    messages: [],
    raw: [],
    plan: { jobs: [job], stages: [], fast_finish: false, differing: [], notifications },
    unusable,
  }
}
