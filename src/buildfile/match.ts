import { isDeepStrictEqual } from 'node:util'
import type { JobConfig, JobOrigin } from '../domain/job.ts'
import { entriesOf, textOf } from './listed.ts'

/** A job before its stage is settled. */
export interface Draft {
  own: JobConfig
  /** What it has from the root. Its own keys win. */
  shared: JobConfig
  /** The entries that are not everyone's. */
  env: unknown[]
  stage: string | null
  origin: JobOrigin
}

/** Whether everything an entry of `exclude` or `allow_failures` names is so in a job. */
export function fits(draft: Draft, entry: Record<string, unknown>): boolean {
  return Object.entries(entry).every(([key, wanted]) => {
    if (key === 'env') return isDeepStrictEqual(entriesOf(wanted), draft.env)
    if (key === 'stage') return sameName(textOf(wanted) ?? '', draft.stage ?? 'test')
    return isDeepStrictEqual(entriesOf(wanted), entriesOf(draft.own[key] ?? draft.shared[key]))
  })
}

/** Names of stages are the same in any case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Without jobs that equal an earlier one. What all have from the root need not be compared. */
export function withoutDoubles(drafts: readonly Draft[]): Draft[] {
  const seen = new Set<string>()
  return drafts.filter(({ own, env, shared }) => {
    const differing = Object.entries({ ...own, env })
      .filter(([key, value]) => !isDeepStrictEqual(value, shared[key]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    const key = JSON.stringify(differing)
    return seen.size < seen.add(key).size
  })
}
