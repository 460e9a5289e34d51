// Whether a hostile file can keep the linter busy: what twice as much of it costs. Anybody may push
// any file, and whoever checks it must be done soon.
//
// The anchor is the linter itself on half as much. Reported is the worst of all kinds.
import type * as LintText from '../src/lint/lint-text.ts'
import { compare, type Comparison } from './harness/compare.ts'
import { localBenchmark } from './harness/benchmark.ts'
import { buildFile } from './harness/build-files.ts'
import { built } from './harness/built.ts'
import { median, rounded } from './harness/statistics.ts'
import { inProcess, timed } from './harness/windows.ts'

const { lintText } = await built<typeof LintText>('lint/lint-text.js')
const lint = (text: string) => lintText(text, { advice: true })

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** Files that are twice as long for twice as much; the longest has the full size. */
const kinds: Record<string, { full: number; make: (size: number) => string }> = {
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

await localBenchmark(
  { bench: 'lint-worst', goal: 2.3, better: 'lower', noise: 0.03 },
  async ({ plan }) => {
    const pairs = plan.quick ? 4 : 8
    const measured: { kind: string; comparison: Comparison; per100KB: number }[] = []
    for (const [kind, { full, make }] of Object.entries(kinds)) {
      const [half, whole] = [make(full / 2), make(full)]
      const candidate = timed(() => lint(whole))
      const comparison = await compare(
        { candidate, anchor: timed(() => lint(half)) },
        { ...inProcess(plan), pairs },
      )
      const per100KB = ((await candidate()) / whole.length) * 100 * 1024
      measured.push({ kind, comparison, per100KB })
    }
    const worst = measured.toSorted((a, b) => b.comparison.ratio - a.comparison.ratio)[0]
    if (!worst) throw new Error('there is nothing to measure')
    const bomb = aliasBomb()
    const bombs = await Promise.all([1, 2, 3].map(() => timed(() => lint(bomb), 0)()))
    const further = {
      ...{ floor: 3, kind: worst.kind },
      ratios: Object.fromEntries(
        measured.map(({ kind, comparison }) => [kind, rounded(comparison.ratio)]),
      ),
      ms_per_100_kb: Object.fromEntries(
        measured.map(({ kind, per100KB }) => [kind, rounded(per100KB, 1)]),
      ),
      alias_bomb_ms: rounded(median(bombs), 1),
    }
    return { comparison: worst.comparison, further }
  },
)
