import { type Draft, keyOf, type Root, valueOf } from '../drafts/draft.ts'
import { draftsOf } from '../drafts/drafts.ts'
import type { Dropped, DropCause } from './dropped.ts'
import { entriesOf } from '../drafts/entries.ts'
import { excludesOf } from './exclude.ts'
import type { Judge } from './judge.ts'
import { type Rule, ruleFor } from './rule.ts'
import type { Skips } from './skips.ts'
import { unsupportedRemover } from '../drafts/unsupported.ts'

export interface Survivors {
  /** How many there were before any was dropped. */
  combinations: number
  kept: Draft[]
  dropped: Dropped[]
  /** False where expanding stopped early: there are more jobs than were kept. */
  complete: boolean
}

/** The jobs that are left of the matrix and the included ones (rules 17.8 to 17.11). */
export function survivorsOf(root: Root, judge: Judge, skips: Skips, limit: number): Survivors {
  const { count: combinations, replaced, drafts } = draftsOf(root)
  const excludes = excludesOf(root)
  const inspect = inspector(root, excludes, judge, skips)
  const maximum = maximumDrafts(root, limit)
  const kept: Draft[] = []
  const dropped: Dropped[] = replaced ? [{ draft: replaced, why: { kind: 'replaced' } }] : []
  for (const draft of drafts) {
    const isEnough = kept.length > limit || kept.length + dropped.length >= maximum
    if (combinations > maximum && isEnough) return { combinations, kept, dropped, complete: false }
    const why = inspect(draft)
    if (why) dropped.push({ draft, why })
    else kept.push(draft)
  }
  return { combinations, kept, dropped, complete: true }
}

/** Steps that take some tenths of a second. A file that needs more is not finished. */
const maximumWork = 2_000_000

/** Every job is held against each rule, and has what all of them share. */
function maximumDrafts({ config, shared, env }: Root, limit: number): number {
  const rules = [...entriesOf(config, 'exclude'), ...entriesOf(config, 'allow_failures')]
  const conditions = rules.filter(({ entry }) => entry.if !== undefined)
  const work = rules.length + conditions.length * 10 + shared.size + env.global.length + 1
  return Math.min(limit * 10, 10_000, Math.floor(maximumWork / work))
}

/** Finishes a draft, and returns why it is dropped, if it is. */
function inspector(root: Root, excludes: readonly Rule[], judge: Judge, skips: Skips) {
  const removeUnsupported = unsupportedRemover(root)
  const equalTo = doubleFinder(root)

  return (draft: Draft): DropCause | null => {
    const exclude = ruleFor(draft, excludes, judge, (text) => skips.report('exclude', text))
    if (exclude) return { kind: 'excluded', entry: exclude.index }
    removeUnsupported(draft)
    const equal = equalTo(draft)
    if (equal) return { kind: 'duplicate', of: equal }
    const condition = valueOf(root, draft, 'if')
    if (judge.holdsFor(draft, condition)) return null
    skips.report('job', condition)
    return { kind: 'condition', condition }
  }
}

/** Finds the earlier job that one equals as a whole. */
export function doubleFinder(root: Root): (draft: Draft) => Draft | undefined {
  const seen = new Map<string, Draft>()
  let alone: Draft | undefined
  return (draft) => {
    // Most build files have one job, which needs no key.
    if (!alone) {
      alone = draft
      return undefined
    }
    if (seen.size === 0) seen.set(keyOf(root, alone), alone)
    const key = keyOf(root, draft)
    const equal = seen.get(key)
    if (!equal) seen.set(key, draft)
    return equal
  }
}
