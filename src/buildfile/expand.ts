import type { JobConfig, JobOrigin } from '../domain/job.ts'
import { readEnv } from './env.ts'
import { jobsSection } from './jobs-section.ts'
import { isCustom } from './keys.ts'
import { entriesOf, type Located, textOf } from './listed.ts'
import { type Draft, fits, sameName, withoutDoubles } from './match.ts'
import { isRecord } from './plain.ts'
import type { BuildFile } from './read.ts'

export interface PlannedJob {
  config: JobConfig
  allow_failure: boolean
  name: string | null
  stage: string | null
  origin: JobOrigin
}

export interface Plan {
  /** In their final order: by stage, and those that may fail last. */
  jobs: PlannedJob[]
  /** The stages that have jobs, in order; empty for a build without stages. */
  stages: string[]
  fast_finish: boolean
}

/** Makes the jobs of a build file (pipeline 3.7). Conditions of jobs and stages count as true. */
export function expandJobs(file: BuildFile): Plan {
  if (file.error) {
    const origin = { kind: 'error' as const, line: file.error.line }
    const job = { config: {}, allow_failure: false, name: null, stage: null, origin }
    return { jobs: [job], stages: [], fast_finish: false }
  }
  const section = jobsSection(file.config)
  const env = readEnv(file.config.env)
  const drafts = draftsOf(file, section.include, env.jobs).filter(
    (draft) => !section.exclude.some((entry) => fits(draft, entry)),
  )
  const { staged, names } = withStages(withoutDoubles(drafts), sectionStages(file.config))
  const jobs = staged.map((draft) => {
    const allowed = section.allow.some((entry) => fits(draft, entry))
    return planned(draft, env.global, allowed)
  })
  return { jobs: inOrder(jobs, names), stages: names, fast_finish: section.fast_finish }
}

const notShared = [
  ...['env', 'jobs', 'matrix', 'stages', 'notifications', 'import', 'version', 'merge_mode'],
  ...['allow_failure', 'name', 'stage'],
]

/** The jobs of the matrix, then the included ones. */
function draftsOf(file: BuildFile, include: Located<JobConfig>[], env: Located[]): Draft[] {
  const shared = Object.fromEntries(
    Object.entries(file.config).filter(
      ([key, value]) => value !== null && !notShared.includes(key) && !isCustom(key),
    ),
  )
  const matrix = env.map(({ entry, path }): Draft => {
    const origin = { kind: 'matrix' as const, line: file.lineOf(path) }
    return { own: {}, shared, env: [entry], stage: null, origin }
  })
  const included = include.map(({ entry, path }): Draft => {
    // A job without variables of its own has those of the first job of the matrix.
    const own = Object.hasOwn(entry, 'env') ? entry.env : env[0]?.entry
    const origin = { kind: 'include' as const, line: file.lineOf(path) }
    return { own: entry, shared, env: entriesOf(own), stage: textOf(entry.stage), origin }
  })
  // A matrix of one job only tells what the included ones have in common.
  if (included.length > 0 && matrix.length < 2) return included
  if (matrix.length > 0) return [...matrix, ...included]
  return [{ own: {}, shared, env: [], stage: null, origin: { kind: 'default', line: null } }]
}

function sectionStages(config: JobConfig): string[] {
  return entriesOf(config.stages).flatMap(
    (stage) => textOf(isRecord(stage) ? stage.name : stage) ?? [],
  )
}

/** Gives each job its stage, if there are any, as first spelled; without one it is `test`. */
function withStages(drafts: readonly Draft[], section: readonly string[]) {
  const spellings = [...section, ...drafts.flatMap(({ stage }) => stage ?? [])]
  if (spellings.length === 0) return { staged: drafts, names: [] }
  const staged = drafts.map((draft) => {
    const name = draft.stage ?? 'test'
    return { ...draft, stage: spellings.find((spelling) => sameName(spelling, name)) ?? name }
  })
  const used = new Set(staged.map(({ stage }) => stage))
  const names = [...new Set([...section, ...used])].filter((name) => used.has(name))
  return { staged, names }
}

function planned({ own, shared, stage, ...draft }: Draft, global: unknown[], allowed: boolean) {
  const { allow_failure, ...config } = { ...shared, ...own }
  const env = [...global, ...draft.env]
  return {
    config: {
      ...config,
      ...(env.length === 0 ? {} : { env }),
      ...(stage === null ? {} : { stage }),
    },
    allow_failure: allow_failure === true || allowed,
    name: textOf(own.name),
    stage,
    origin: draft.origin,
  }
}

function inOrder(jobs: readonly PlannedJob[], stages: readonly string[]): PlannedJob[] {
  const placeOf = ({ stage, allow_failure }: PlannedJob) =>
    stages.indexOf(stage ?? '') * 2 + Number(allow_failure)
  return jobs.toSorted((a, b) => placeOf(a) - placeOf(b))
}
