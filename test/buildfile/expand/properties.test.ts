import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandJobs } from '../../../src/buildfile/expand/expand-jobs.ts'
import { expandMatrix } from '../../../src/buildfile/expand/expand-matrix.ts'
import { explainJobs } from '../../../src/buildfile/expand/explain-jobs.ts'
import type { Plan, PlannedJob } from '../../../src/buildfile/expand/plan.ts'

type Config = Record<string, unknown>

const data = { type: 'push', branch: 'main', env: ['S=1'] }

const conditions = fc.constantFrom(
  'branch = main',
  'branch = dev',
  'env(A) = 1',
  'os = osx',
  'nonsense =',
)
const word = fc.constantFrom('1', '2', 'linux', 'osx', 'ruby', 'go', 'test', 'Test', 'deploy', '')
const entry = fc.record({ A: word, G: fc.constant('1') }, { requiredKeys: [] })

/** What jobs and rules can say, in normal form. */
const job = fc.record(
  {
    language: word,
    os: word,
    dist: word,
    arch: word,
    rvm: word,
    go: word,
    name: word,
    stage: word,
    if: conditions,
    env: fc.array(entry, { maxLength: 3 }),
    script: fc.array(word, { maxLength: 2 }),
    allow_failure: fc.boolean(),
    branch: word,
  },
  { requiredKeys: [] },
)
const values = fc.array(word, { maxLength: 3 })
const jobs = fc.array(job, { maxLength: 4 })

const normal: fc.Arbitrary<Config> = fc.record(
  {
    language: word,
    os: values,
    arch: values,
    rvm: values,
    go: values,
    dist: word,
    env: fc.record({ global: fc.array(entry), jobs: fc.array(entry) }, { requiredKeys: [] }),
    script: values,
    if: conditions,
    stages: fc.array(fc.record({ name: word, if: conditions }, { requiredKeys: [] })),
    jobs: fc.record(
      { include: jobs, exclude: jobs, allow_failures: jobs, fast_finish: fc.boolean() },
      { requiredKeys: [] },
    ),
    notifications: fc.dictionary(word, fc.array(fc.record({ if: conditions }))),
  },
  { requiredKeys: [] },
)

const keys = fc.constantFrom(
  ...['language', 'os', 'arch', 'dist', 'rvm', 'env', 'jobs', 'global', 'include', 'exclude'],
  ...['allow_failures', 'fast_finish', 'stages', 'stage', 'name', 'if', 'notifications', 'secure'],
  ...['__proto__', 'constructor', 'toString', 'branch', 'allow_failure', 'script', ''],
)
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(word, conditions, fc.jsonValue({ maxDepth: 1 })),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 5, noNullPrototype: false }),
  ),
}))
const odd = fc.dictionary(keys, anything, { noNullPrototype: false })

/** A text by which places in the file sort, those of the matrix first. */
function placeOf({ origin }: Pick<PlannedJob, 'origin'>): string {
  const cell = (origin.cell ?? []).map(({ number }) => String(number).padStart(3, '0'))
  return origin.entry === undefined
    ? `0 ${cell.join()}`
    : `1 ${String(origin.entry).padStart(3, '0')}`
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const dropsOf = ({ dropped }: Pick<Plan, 'dropped'>) =>
  dropped.filter(({ why }) => why.kind !== 'replaced').length

const runs = { numRuns: 1000 }

describe.each([
  ['normal forms', normal],
  ['maps of anything', odd],
])('%s', (_, configs) => {
  test('are expanded and explained with the same result each time, and not modified', () => {
    fc.assert(
      fc.property(configs, (config) => {
        const before = JSON.stringify(config)
        const [first, second] = [expandJobs(config, { data }), expandJobs(config, { data })]
        expect(second).toEqual(first)
        const explained = explainJobs(config, { data })
        expect(explained.jobs.map(({ number }) => number)).toEqual(
          first.jobs.map((one) => one.number),
        )
        expect(explained.dropped.length).toBe(first.dropped.length)
        expect(JSON.stringify(config)).toBe(before)
      }),
      runs,
    )
  })

  test('have a reason for each dropped job, and no additional jobs', () => {
    fc.assert(
      fc.property(configs, fc.option(fc.constant(data)), (config, event) => {
        const plan = expandJobs(config, event ? { data: event } : {})
        fc.pre(plan.complete)
        expect(plan.total + dropsOf(plan)).toBe(plan.combinations)
        expect(expandMatrix(config).rows.length).toBeLessThanOrEqual(plan.combinations)
      }),
      runs,
    )
  })

  test('do not lead to the same job twice', () => {
    fc.assert(
      fc.property(configs, (config) => {
        const made = expandJobs(config).jobs.map((one) => sortedText(one.config))
        expect(new Set(made).size).toBe(made.length)
        const rows = expandMatrix(config).rows.map(sortedText)
        expect(new Set(rows).size).toBe(rows.length)
      }),
      runs,
    )
  })

  test('lead to jobs in order: by stage, then those that must pass, then as in the file', () => {
    fc.assert(
      fc.property(configs, (config) => {
        const { jobs, stages } = expandJobs(config, { data })
        const ranks = jobs.map((one) => {
          const stage = stages.findIndex(({ name }) => name === one.stage)
          return `${String(stage + 1).padStart(3, '0')} ${one.allow_failure} ${placeOf(one)}`
        })
        expect(ranks).toEqual(ranks.toSorted())
        expect(jobs.map(({ number }) => number)).toEqual(jobs.map((_one, index) => index + 1))
        expect(jobs.every(({ stage }) => (stage === null) === (stages.length === 0))).toBe(true)
      }),
      runs,
    )
  })
})
