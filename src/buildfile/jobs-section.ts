import { entriesOf, listed, type Located, type Path, textOf } from './listed.ts'
import { isRecord } from './plain.ts'

type Entry = Record<string, unknown>

/** What a build file says about its jobs beyond the matrix. */
export interface JobsSection {
  include: Located<Entry>[]
  exclude: Entry[]
  allow: Entry[]
  fast_finish: boolean
}

const keys = ['include', 'exclude', 'allow_failures', 'allowed_failures', 'fast_finish']

/** Reads `jobs`, or `matrix`, which wins. A list, or a map without these keys, is `include`. */
export function jobsSection(config: Entry): JobsSection {
  const name = config.matrix === undefined || config.matrix === null ? 'jobs' : 'matrix'
  const value = config[name]
  if (!isRecord(value) || !keys.some((key) => Object.hasOwn(value, key))) {
    return { include: included(value, [name]), exclude: [], allow: [], fast_finish: false }
  }
  return {
    include: included(value.include, [name, 'include']),
    exclude: unconditional(value.exclude),
    allow: unconditional(value.allow_failures ?? value.allowed_failures),
    fast_finish:
      value.fast_finish === true || /^(?:yes|on)$/i.test(textOf(value.fast_finish) ?? ''),
  }
}

/** An entry without a stage takes that of the entry before it. */
function included(value: unknown, path: Path): JobsSection['include'] {
  let stage: string | null = null
  return listed(value, path).flatMap(({ entry, path }) => {
    if (!isRecord(entry)) return []
    stage = textOf(entry.stage) ?? stage
    const given = Object.entries(entry).filter(([, value]) => value !== null)
    return [{ entry: { ...Object.fromEntries(given), ...(stage === null ? {} : { stage }) }, path }]
  })
}

/**
 * Conditions are not evaluated here, and an entry that applies to more jobs than it should would
 * hide failures or drop jobs: those with a condition are left aside.
 */
function unconditional(value: unknown): Entry[] {
  return entriesOf(value).filter(
    (entry): entry is Entry => isRecord(entry) && !Object.hasOwn(entry, 'if'),
  )
}
