// How long it takes to make the jobs of a large matrix. It is done for every push, and again in an
// editor with each key that is pressed.
//
// The anchor is the naive product, without stages, conditions, or where each job comes from.
import type * as ExpandJobs from '../src/buildfile/expand/expand-jobs.ts'
import { type Matrix, naiveJobs } from './anchors/expand.ts'
import { localBenchmark } from './harness/benchmark.ts'
import { built } from './harness/built.ts'
import { compare } from './harness/compare.ts'
import { rounded } from './harness/statistics.ts'
import { inProcess, timed } from './harness/windows.ts'

const { expandJobs } = await built<typeof ExpandJobs>('buildfile/expand/expand-jobs.js')

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))
const data = { type: 'push', repo: 'owner/name', branch: 'main', fork: false }
const phases = { install: ['npm ci'], script: ['npm test', 'npm run lint'] }
const arches = ['amd64', 'arm64', 'i386', 'ppc64le', 's390x']
const excluded = [
  { arch: 'i386', node_js: '0' },
  { arch: 's390x', node_js: '1' },
]
const included = numbers(5).map((number) => ({
  name: `More ${number}`,
  script: [`make ${number}`],
}))

/** The normal form of a file with so many versions × 5 × 4 jobs, 8 fewer and 5 more. */
function configOf(versions: number) {
  return {
    language: 'node_js',
    os: ['linux'],
    dist: 'focal',
    arch: arches,
    node_js: numbers(versions),
    ...phases,
    env: { jobs: numbers(4).map((number) => ({ TASK: number })) },
    jobs: { exclude: excluded, include: included },
  }
}

/** The same for the anchor. */
function matrixOf(versions: number): Matrix {
  return {
    shared: { language: 'node_js', dist: 'focal', ...phases },
    axes: {
      os: ['linux'],
      node_js: numbers(versions),
      arch: arches,
      env: numbers(4).map((number) => [{ TASK: number }]),
    },
    exclude: excluded,
    include: included,
  }
}

const expand = (config: ReturnType<typeof configOf>) =>
  expandJobs(config, { data, limit: Infinity }).jobs.map((job) => job.config)

/** Jobs in an order, and keys in an order, that are the same on both sides. */
function sorted(jobs: readonly Record<string, unknown>[]): string {
  const entries = jobs.map((job) =>
    JSON.stringify(Object.entries(job).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
  return entries.toSorted().join('\n')
}

await localBenchmark(
  { bench: 'expand', goal: 2.5, better: 'lower', noise: 0.03 },
  async ({ plan }) => {
    const [config, matrix, large] = [configOf(10), matrixOf(10), configOf(100)]
    if (sorted(expand(config)) !== sorted(naiveJobs(matrix))) {
      throw new Error('anchor and candidate make different jobs')
    }
    const anchor = timed(() => naiveJobs(matrix))
    const candidate = timed(() => expand(config))
    const comparison = await compare({ candidate, anchor }, inProcess(plan))
    const growth = await compare(
      { candidate: timed(() => expand(large)), anchor: candidate },
      { ...inProcess(plan), pairs: 4 },
    )
    const further = {
      floor: 5,
      moonshot: 1,
      jobs: expand(config).length,
      ms: rounded(await candidate(), 3),
      anchor_ms: rounded(await anchor(), 3),
      // Time per job of ten times as many.
      large: {
        jobs: expand(large).length,
        per_job: rounded((growth.ratio * expand(config).length) / expand(large).length),
      },
    }
    return { comparison, further }
  },
)
