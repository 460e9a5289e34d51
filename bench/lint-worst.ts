// Whether a hostile file can keep the linter busy: what twice as much of it costs. Anyone can push
// any file, and checking it must not take long.
//
// The anchor is the linter itself on half as much. Reported is the worst of all kinds.
import type * as LintText from '../src/lint/lint-text.ts'
import { compare, type Comparison } from './harness/compare.ts'
import { localBenchmark } from './harness/benchmark.ts'
import { buildFile } from './harness/build-files.ts'
import { built } from './harness/built.ts'
import type { Plan } from './harness/plan.ts'
import { rounded } from './harness/statistics.ts'
import { inProcess, timed } from './harness/windows.ts'

const { lintText } = await built<typeof LintText>('lint/lint-text.js')
const lint = (text: string) => lintText(text, { advice: true })

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

interface Kind {
  full: number
  make: (size: number) => string
}

/** Files that are twice as long for twice as much; the longest has the full size. */
const kinds: Record<string, Kind> = {
  'ordinary, 122 KB': { full: 122 * 1024, make: (size) => buildFile(1, size) },
  'ordinary, 1 MB': { full: 1024 * 1024, make: (size) => buildFile(2, size) },
  '10,000 keys in a map': {
    full: 10_000,
    make: (count) => `env:\n  global:\n${lines(count, (index) => `    KEY_${index}: ${index}`)}`,
  },
  '10,000 unknown keys': { full: 10_000, make: (count) => lines(count, (index) => `k${index}: 1`) },
  'almost-right keys': {
    full: 5000,
    make: (count) => lines(count, (index) => `scirptt${index}: 1`),
  },
  'nesting 100 deep': {
    full: 200,
    make: (count) =>
      `jobs:\n  include:\n${lines(count, () => `    - env: ${'['.repeat(100)}1${']'.repeat(100)}`)}`,
  },
  'one scalar of 1 MB': {
    full: 1024 * 1024,
    make: (size) => `script: "${'a b '.repeat(size / 4)}"`,
  },
  'one block of 1 MB': {
    full: 1024 * 1024,
    make: (size) => `script: |\n${'  make\n'.repeat(size / 7)}`,
  },
  'long lists in jobs': {
    full: 2000,
    make: (count) => `jobs:\n  include:\n${lines(count, (index) => `    - script: make ${index}`)}`,
  },
}

/** Nine levels, each of which holds the one below nine times. */
function aliasBomb(): string {
  const names = 'abcdefghi'.split('')
  return names
    .map((name, index) => {
      const below = index === 0 ? 'x' : `*${names[index - 1]}`
      return `${name}: &${name} [${Array(9).fill(below).join(', ')}]`
    })
    .join('\n')
}

interface Measured {
  comparison: Comparison
  ms_per_100_kb: number
  with_advice: number
}

async function measure({ full, make }: Kind, plan: Plan): Promise<Measured> {
  const [half, whole] = [make(full / 2), make(full)]
  const candidate = timed(() => lint(whole))
  const comparison = await compare({ candidate, anchor: timed(() => lint(half)) }, plan)
  const per100KB = (taken: number) => rounded((taken / whole.length) * 100 * 1024, 1)
  return {
    comparison,
    ms_per_100_kb: per100KB(await timed(() => lintText(whole, { advice: false }))()),
    with_advice: per100KB(await candidate()),
  }
}

await localBenchmark(
  { bench: 'lint-worst', goal: 2.3, better: 'lower', noise: 0.03 },
  async ({ plan }) => {
    const fewer = { ...inProcess(plan), pairs: plan.quick ? 4 : 8 }
    const measured = new Map<string, Measured>()
    for (const [kind, what] of Object.entries(kinds)) measured.set(kind, await measure(what, fewer))
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
      kinds: Object.fromEntries(figures) as object,
      alias_bomb_ms: rounded(await timed(() => lint(bomb))(), 1),
    }
    return { comparison: worst[1].comparison, further }
  },
)
