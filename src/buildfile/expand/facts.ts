import { isMap } from '../../domain/config/config-value.ts'
import { displayEntry, displayValue } from './display-value.ts'
import { type Draft, type Root, valueOf } from './drafts/draft.ts'
import type { Expansion } from './expansion.ts'
import { isEmpty, listOf } from './values.ts'

/** The differences between a job and the others, as texts. */
export interface Facts {
  /** Values by column; null if the job has no value. */
  values: Record<string, string | null>
  /** The `env` entries that not all jobs have, one text for each. */
  env: string[]
}

/** Keys shown whether jobs differ in them or not; the axes of the matrix follow. */
const usual = ['language', 'os', 'dist', 'arch']

/** Keys that are shown elsewhere than in a column. */
const shownElsewhere = new Set(['name', 'stage', 'env', 'if', 'allow_failure', 'source_key'])

/** The keys that are shown for each job, in order, except for `env`. */
export function columnsOf(expansion: Expansion): string[] {
  const { root, jobs, dropped } = expansion
  const drafts = [...jobs, ...dropped].map(({ draft }) => draft)
  const axes = root.axes.map(({ key }) => key).filter((key) => key !== 'env')
  const known = [...usual, ...axes].filter((key) =>
    drafts.some((draft) => !isEmpty(valueOf(root, draft, key))),
  )
  return [...new Set([...known, ...differingKeys(root, drafts)])]
}

/** The keys in which these jobs differ, inherited or not, except for `env`. */
export function differingKeys(root: Root, drafts: readonly Draft[]): string[] {
  const [first, ...others] = drafts
  if (!first) return []
  const keys = new Set<string>()
  for (const { own, hidden } of drafts) {
    for (const key of own.keys()) keys.add(key)
    for (const key of hidden) keys.add(key)
  }
  return [...keys].filter((key) => {
    if (shownElsewhere.has(key)) return false
    const wanted = idOf(root, first, key)
    return others.some((draft) => idOf(root, draft, key) !== wanted)
  })
}

function idOf(root: Root, draft: Draft, key: string): number {
  const value = valueOf(root, draft, key)
  return root.idOf(isEmpty(value) ? null : value)
}

export function factsOf(root: Root, draft: Draft, columns: readonly string[]): Facts {
  const values = columns.map((key) => [key, columnText(key, valueOf(root, draft, key))] as const)
  return { values: Object.fromEntries(values), env: (draft.env?.entries ?? []).map(displayEntry) }
}

/** Shows only the providers of a deployment: the rest is long, and may be secret. */
function columnText(key: string, value: unknown): string | null {
  return displayValue(key === 'deploy' ? providersOf(value) : value)
}

/** The names of a deployment's providers; null if there are none. */
export function providersOf(deploy: unknown): string[] | null {
  const providers = listOf(deploy).flatMap((entry) =>
    isMap(entry) && typeof entry.provider === 'string' ? entry.provider : [],
  )
  return providers.length > 0 ? providers : null
}
