import { type Draft, keyOf, type Root, valueOf } from '../drafts/draft.ts'
import { draftsOf } from '../drafts/drafts.ts'
import { entriesOf } from '../drafts/entries.ts'
import { type Platform, platformOf, supports } from '../drafts/support.ts'
import type { Dropped, DropCause } from './dropped.ts'
import { excludesOf } from './exclude.ts'
import type { Judge } from './judge.ts'
import { type JobRule, ruleFor } from './rule.ts'
import type { Skips } from './skips.ts'

export interface Survivors {
  /** The number of jobs before any was dropped. */
  combinations: number
  kept: Draft[]
  dropped: Dropped[]
  /** False if expansion stopped early: there are more jobs than were kept. */
  complete: boolean
}

/** The jobs of the matrix and the included jobs that are kept (rules 17.8 to 17.11). */
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

/** Steps that take a few tenths of a second. Files that need more are not expanded completely. */
const maximumWork = 2_000_000

/** Every job is compared with each rule, and has the values that all jobs share. */
function maximumDrafts({ config, shared, env }: Root, limit: number): number {
  const rules = [...entriesOf(config, 'exclude'), ...entriesOf(config, 'allow_failures')]
  const conditions = rules.filter(({ entry }) => entry.if !== undefined)
  const work = rules.length + conditions.length * 10 + shared.size + env.global.length + 1
  return Math.min(limit * 10, 10_000, Math.floor(maximumWork / work))
}

/** Finishes a draft, and returns why the job is dropped, or null. */
function inspector(root: Root, excludes: readonly JobRule[], judge: Judge, skips: Skips) {
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

/** Returns a function that finds an earlier job equal to a job as a whole. */
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

interface Judged {
  platform: Platform
  hidden: ReadonlySet<string>
}

/** Removes the keys of jobs that their language and os do not support (rule 17.9). */
function unsupportedRemover(root: Root): (draft: Draft) => void {
  const known = new Map<string, Judged>()

  function judge(language: unknown, os: unknown): Judged {
    const name = `${root.idOf(language)} ${root.idOf(os)}`
    const judged = known.get(name) ?? judgeShared(root, platformOf(language, os))
    known.set(name, judged)
    return judged
  }

  return (draft) => {
    const { platform, hidden } = judge(valueOf(root, draft, 'language'), valueOf(root, draft, 'os'))
    draft.hidden = hidden
    for (const [key, value] of draft.own) {
      if (supports(key, value, platform)) continue
      draft.own.delete(key)
      // A shared value that the key overrode does not come back.
      if (root.shared.has(key)) draft.hidden = new Set([...draft.hidden, key])
    }
  }
}

/** Computed once for a platform, because its jobs have the same shared keys. */
function judgeShared({ shared }: Root, platform: Platform): Judged {
  const hidden = [...shared].filter(([key, value]) => !supports(key, value, platform))
  return { platform, hidden: new Set(hidden.map(([key]) => key)) }
}
