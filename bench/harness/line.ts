import type { Comparison } from './compare.ts'
import { rounded } from './statistics.ts'

export interface Goal {
  bench: string
  goal: number
  better: 'higher' | 'lower'
  /** What A/A may be off by at least: 0.15 over HTTP, 0.03 within one process. */
  noise: number
}

/** What a benchmark prints, as one line of JSON; numbers and `met` are null when it was skipped. */
export interface Line {
  bench: string
  ratio: number | null
  p10: number | null
  p90: number | null
  aa: number | null
  goal: number
  better: 'higher' | 'lower'
  /** False only when the goal was missed by more than the noise explains. */
  met: boolean | null
  noisy?: boolean
  skipped?: string
  [further: string]: unknown
}

export function lineOf(
  goal: Goal,
  comparison: Comparison,
  further: Readonly<Record<string, unknown>> = {},
): Line {
  return { bench: goal.bench, ...subline(goal, comparison), ...further }
}

/** A further comparison within a line, with a goal of its own. */
export function subline({ goal, better, noise }: Omit<Goal, 'bench'>, comparison: Comparison) {
  const { ratio, p10, p90, aa } = comparison
  const noisy = Math.abs(aa - 1) > noise
  const allowed = Math.max(noise, 2 * Math.abs(aa - 1))
  const past = better === 'higher' ? ratio < goal * (1 - allowed) : ratio > goal * (1 + allowed)
  return {
    ratio: rounded(ratio),
    p10: rounded(p10),
    p90: rounded(p90),
    aa: rounded(aa),
    goal,
    better,
    met: noisy || !past,
    ...(noisy ? { noisy } : {}),
  }
}

export function skippedLine({ bench, goal, better }: Goal, skipped: string): Line {
  const numbers = { ratio: null, p10: null, p90: null, aa: null }
  return { bench, ...numbers, goal, better, met: null, skipped }
}

/** The verdict in a word or two. */
export function verdictOf({ ratio, goal, better, met, noisy, skipped }: Line): string {
  if (skipped !== undefined || ratio === null) return `skipped: ${skipped}`
  if (noisy) return 'noisy'
  if (!met) return 'missed'
  const reached = better === 'higher' ? ratio >= goal : ratio <= goal
  return reached ? 'met' : 'within noise'
}
