// Whether a hostile file can keep the linter busy: what twice as much of it costs, and how long the
// worst ones take that the linter's doors let in. Anyone can push any file, and checking it must not
// take long.
//
// The anchor is the linter itself on half as much. Reported is the worst of all kinds.
import type * as ExplainJobs from '../src/buildfile/expand/explain-jobs.ts'
import type * as Limits from '../src/lint/limits.ts'
import type * as LintText from '../src/lint/lint-text.ts'
import { localBenchmark } from './harness/benchmark.ts'
import { built } from './harness/built.ts'
import { compare, type Comparison } from './harness/compare.ts'
import { aliasBomb, hostileFiles, type Kind, mostBytes } from './harness/hostile-files.ts'
import type { Plan } from './harness/plan.ts'
import { rounded } from './harness/statistics.ts'
import { inProcess, timed } from './harness/windows.ts'

const { lintText } = await built<typeof LintText>('lint/lint-text.js')
const { mostValues } = await built<typeof Limits>('lint/limits.js')
const { explainJobs } = await built<typeof ExplainJobs>('buildfile/expand/explain-jobs.js')

/** All that the service does with a file; without a limit, as for files that were pushed. */
function lint(text: string, options: Partial<LintText.LintOptions> = {}): void {
  const { config, lineOf } = lintText(text, { advice: true, ...options })
  explainJobs(config, { lineOf })
}

interface Measured {
  comparison: Comparison
  /** Of the whole file. */
  ms: number
  /** Of the largest of its kind that the doors of the linter read, which limit values as well. */
  door_ms: number
  ms_per_100_kb: number
  with_advice: number
}

async function measure({ full, make }: Kind, plan: Plan): Promise<Measured> {
  const [half, whole] = [make(full / 2), make(full)]
  const answered = largestAnswered({ full: Math.min(full, mostBytes), make })
  const candidate = timed(() => lint(whole))
  const comparison = await compare({ candidate, anchor: timed(() => lint(half)) }, plan)
  const taken = await candidate()
  const per100KB = (ms: number) => rounded((ms / whole.length) * 100 * 1024, 1)
  return {
    comparison,
    ms: rounded(taken, 0),
    door_ms: rounded(await timed(() => lint(answered, { mostValues }), 500)(), 0),
    ms_per_100_kb: per100KB(await timed(() => lintText(whole, { advice: false }))()),
    with_advice: per100KB(taken),
  }
}

function largestAnswered({ full, make }: Kind): string {
  let [least, most] = [0, full]
  while (most - least > 1) {
    const size = Math.ceil((least + most) / 2)
    const { error } = lintText(make(size), { advice: false, mostValues })
    if (error) most = size
    else least = size
  }
  return make(least)
}

await localBenchmark(
  { bench: 'lint-worst', goal: 2.3, better: 'lower', noise: 0.03 },
  async ({ plan }) => {
    const fewer = { ...inProcess(plan), pairs: plan.quick ? 4 : 8 }
    const measured = new Map<string, Measured>()
    for (const [kind, what] of Object.entries(hostileFiles))
      measured.set(kind, await measure(what, fewer))
    const [worst] = [...measured].toSorted(
      ([, one], [, other]) => other.comparison.ratio - one.comparison.ratio,
    )
    if (!worst) throw new Error('there is nothing to measure')
    const bomb = aliasBomb()
    const figures = [...measured].map(([kind, { comparison, ...times }]) => [
      kind,
      { ratio: rounded(comparison.ratio), ...times },
    ])
    const further = {
      floor: 3,
      worst: worst[0],
      // What a body of the linter's doors may take.
      most_ms: 300,
      slow: [...measured].filter(([, { door_ms }]) => door_ms > 300).map(([kind]) => kind),
      kinds: Object.fromEntries(figures) as object,
      alias_bomb_ms: rounded(await timed(() => lint(bomb))(), 1),
    }
    return { comparison: worst[1].comparison, further }
  },
)
