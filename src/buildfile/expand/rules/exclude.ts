import { type Draft, type Root, valueOf } from '../drafts/draft.ts'
import { entriesOf } from '../drafts/entries.ts'
import { listOf } from '../values.ts'
import { idFinder } from './id-finder.ts'
import type { JobRule } from './rule.ts'

/** The entries of `jobs.exclude` (rule 17.8). */
export function excludesOf(root: Root): JobRule[] {
  const { idOf } = root
  const idUnder = idFinder(root, single)
  const noEnv = idOf(none)
  return entriesOf(root.config, 'exclude').map(({ entry, index }) => {
    const { if: condition, stage, env, ...keys } = entry
    const wanted = Object.entries(keys).map(([key, value]) => [key, idOf(single(value))] as const)
    const envId = env === undefined ? undefined : idOf(listOf(env))
    return {
      index,
      condition,
      fits: (draft: Draft) =>
        wanted.every(([key, id]) => idUnder(draft, key) === id) &&
        (envId === undefined || (draft.env?.id ?? noEnv) === envId) &&
        (stage === undefined || isStage(valueOf(root, draft, 'stage'), stage)),
    }
  })
}

const none: readonly unknown[] = []

/** Makes a list of one value equal to the value, and nothing equal to an empty list. */
function single(value: unknown): unknown {
  if (value === undefined || value === null) return none
  if (!Array.isArray(value) || value.length !== 1 || Array.isArray(value[0])) return value
  return value[0] as unknown
}

/** A job without a stage is in the stage `test`, in any case of letters. */
function isStage(stage: unknown, wanted: unknown): boolean {
  if (stage !== undefined) return stage === wanted
  return typeof wanted === 'string' && wanted.toLowerCase() === 'test'
}
