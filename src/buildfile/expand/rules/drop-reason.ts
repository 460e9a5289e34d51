import type { JobOrigin } from '../../../domain/job/job.ts'
import type { Draft } from '../drafts/draft.ts'
import type { Expansion } from '../expansion.ts'
import type { Path } from '../values.ts'
import type { Dropped } from './dropped.ts'
import type { Findings } from './judge.ts'

/** Why a job is not built. Lines and entries count from 1. */
export type DropReason =
  /** An entry of `jobs.exclude` fits the job. */
  | { kind: 'excluded'; entry: number; line: number | null }
  /** The `if` of the job, or of the root, does not hold. */
  | ({ kind: 'condition' } & Failed)
  /** The `if` of its stage, an entry of `stages`, does not hold. */
  | ({ kind: 'stage'; entry: number; stage: string } & Failed)
  /** The job equals another job; the number is null if that other job was dropped as well. */
  | { kind: 'duplicate'; of: { number: number | null; origin: JobOrigin } }
  /** The job was the only one of the matrix, and there are included jobs. */
  | { kind: 'replaced' }

interface Failed extends Findings {
  condition: string
  line: number | null
  /** The source of the condition, if that is not the build file itself. */
  src?: string
}

/** Returns the full reason why a job was dropped. */
export function dropReasons(expansion: Expansion): (dropped: Dropped) => DropReason {
  const { jobs, judge, lineOf, srcOf, originOf } = expansion
  const numbers = new Map(jobs.map(({ draft }, index) => [draft, index + 1]))

  function failed(condition: unknown, path: Path, draft?: Draft): Failed {
    const text = typeof condition === 'string' ? condition : JSON.stringify(condition)
    const src = srcOf(path)
    const place = { line: lineOf(path), ...(src !== undefined && { src }) }
    return { condition: text, ...place, ...judge.findings(condition, draft) }
  }

  return ({ draft, why }) => {
    switch (why.kind) {
      case 'excluded':
        return { ...why, entry: why.entry + 1, line: lineOf(['jobs', 'exclude', why.entry]) }
      case 'condition':
        return { ...why, ...failed(why.condition, pathOfIf(draft), draft) }
      case 'stage': {
        const { kind, entry, stage, condition } = why
        return { kind, entry: entry + 1, stage, ...failed(condition, ['stages', entry, 'if']) }
      }
      case 'duplicate': {
        const number = numbers.get(why.of) ?? null
        return { ...why, of: { number, origin: originOf(why.of) } }
      }
      case 'replaced':
        return why
    }
  }
}

/** An included job without its own condition has the condition of the root. */
function pathOfIf({ source, own }: Draft): Path {
  const isOwn = source.kind === 'include' && own.has('if')
  return isOwn ? ['jobs', 'include', source.index, 'if'] : ['if']
}
