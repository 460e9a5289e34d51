// Whether a hostile file can keep the linter busy: what twice as much of it costs, and how long the
// worst ones take that the linter's doors let in. Anyone can push any file, and checking it must not
// take long.
//
// The anchor is the linter itself on half as much. Reported is the worst of all kinds.
import type * as ExplainJobs from '../src/buildfile/expand/explain-jobs.ts'
import type * as LintText from '../src/lint/lint-text.ts'
import { compare, type Comparison } from './harness/compare.ts'
import { localBenchmark } from './harness/benchmark.ts'
import { built } from './harness/built.ts'
import { aliasBomb, hostileFiles, type Kind, mostBytes } from './harness/hostile-files.ts'
import type { Plan } from './harness/plan.ts'
import { rounded } from './harness/statistics.ts'
import { inProcess, timed } from './harness/windows.ts'

const { lintText } = await built<typeof LintText>('lint/lint-text.js')
const { explainJobs } = await built<typeof ExplainJobs>('buildfile/expand/explain-jobs.js')

/** All that the service does with a file. */
function lint(text: string): void {
  const { config, lineOf } = lintText(text, { advice: true })
  explainJobs(config, { lineOf })
}

interface Measured {
  comparison: Comparison
  /** Of the whole file. */
  ms: number
  ms_per_100_kb: number
  with_advice: number
}

async function measure({ full, make }: Kind, plan: Plan): Promise<Measured> {
  const [half, whole] = [make(full / 2), make(full)]
  const candidate = timed(() => lint(whole))
  const comparison = await compare({ candidate, anchor: timed(() => lint(half)) }, plan)
  const taken = await candidate()
  const per100KB = (ms: number) => rounded((ms / whole.length) * 100 * 1024, 1)
  return {
    comparison,
    ms: rounded(taken, 0),
    ms_per_100_kb: per100KB(await timed(() => lintText(whole, { advice: false }))()),
    with_advice: per100KB(taken),
  }
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
      slow: [...measured]
        .filter(([kind, { ms }]) => ms > 300 && hostileFiles[kind]?.full === mostBytes)
        .map(([kind]) => kind),
      kinds: Object.fromEntries(figures) as object,
      alias_bomb_ms: rounded(await timed(() => lint(bomb))(), 1),
    }
    return { comparison: worst[1].comparison, further }
  },
)
