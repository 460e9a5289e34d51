import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchDecision } from '../../src/buildfile/branches.ts'
import { expandJobs, type PlannedJob } from '../../src/buildfile/expand.ts'
import { readBuildFile } from '../../src/buildfile/read.ts'

const plan = (text: string) => expandJobs(readBuildFile(text))

test('a file without a matrix makes one job of everything that jobs share', () => {
  const text =
    'language: go\nscript: make\ninstall:\nstages: []\nnotifications: {email: false}\n_x: 1\nif: branch = main'
  expect(plan(text)).toEqual({
    jobs: [
      {
        config: { language: 'go', script: 'make', if: 'branch = main' },
        allow_failure: false,
        name: null,
        stage: null,
        origin: { kind: 'default', line: null },
      },
    ],
    stages: [],
    fast_finish: false,
  })
})

test('an unusable file makes one job that tells where it is broken', () => {
  expect(plan('script: x\nenv: [')).toEqual({
    jobs: [
      {
        config: {},
        allow_failure: false,
        name: null,
        stage: null,
        origin: { kind: 'error', line: 2 },
      },
    ],
    stages: [],
    fast_finish: false,
  })
})

/** The environments of the jobs, and where they come from. */
function envs(text: string): unknown[] {
  return plan(text).jobs.map(({ config, origin }) => [config.env, origin.kind, origin.line])
}

describe('env', () => {
  test.each([
    ['env: A=1', [[['A=1'], 'matrix', 1]]],
    [
      'env:\n  - A=1\n  - A=2',
      [
        [['A=1'], 'matrix', 2],
        [['A=2'], 'matrix', 3],
      ],
    ],
    ['env:\n  - {A: 1}', [[[{ A: 1 }], 'matrix', 2]]],
    ['env: {A: 1, B: x}', [[[{ A: 1, B: 'x' }], 'default', null]]],
    ['env: {secure: abc}', [[[{ secure: 'abc' }], 'default', null]]],
    ['env: {global: A=1}', [[['A=1'], 'default', null]]],
    [
      'env:\n  global:\n    - A=1\n    - secure: abc\n  jobs:\n    - B=1\n    - B=2',
      [
        [['A=1', { secure: 'abc' }, 'B=1'], 'matrix', 6],
        [['A=1', { secure: 'abc' }, 'B=2'], 'matrix', 7],
      ],
    ],
    ['env:\n  matrix: [B=1]', [[['B=1'], 'matrix', 2]]],
    ['env: {global: A=1, C: 3}', [[['A=1', { C: 3 }], 'default', null]]],
    ['env: []', [[undefined, 'default', null]]],
    ['env:', [[undefined, 'default', null]]],
    ['env: [A=1, A=1]', [[['A=1'], 'matrix', 1]]],
    ['env: [~, A=1, {}]', [[['A=1'], 'matrix', 1]]],
  ])('%j', (text, expected) => {
    expect(envs(text)).toEqual(expected)
  })
})

describe('included jobs', () => {
  test('have what the root has, unless they say otherwise', () => {
    const text =
      'script: a\ninstall: b\njobs:\n  include:\n    - script: c\n      name: one\n    - install: ~\n'
    expect(plan(text).jobs).toEqual([
      {
        config: { script: 'c', install: 'b', name: 'one' },
        allow_failure: false,
        name: 'one',
        stage: null,
        origin: { kind: 'include', line: 5 },
      },
      {
        config: { script: 'a', install: 'b' },
        allow_failure: false,
        name: null,
        stage: null,
        origin: { kind: 'include', line: 7 },
      },
    ])
  })

  test.each([
    ['jobs: {include: [{env: B=1}]}', [[['B=1'], 'include', 1]]],
    ['matrix: {include: [{env: B=1}]}', [[['B=1'], 'include', 1]]],
    ['jobs: [{env: B=1}]', [[['B=1'], 'include', 1]]],
    ['jobs: {env: B=1}', [[['B=1'], 'include', 1]]],
    ['jobs: [{env: B=1}]\nmatrix: [{env: C=1}]', [[['C=1'], 'include', 2]]],
    // The single job of the matrix gives way, but not its variables.
    [
      'env: A=1\njobs: [{script: x}, {env: B=1}]',
      [
        [['A=1'], 'include', 2],
        [['B=1'], 'include', 2],
      ],
    ],
    [
      'env: [A=1, A=2]\njobs: [{script: x}, {env: B=1}]',
      [
        [['A=1'], 'matrix', 1],
        [['A=2'], 'matrix', 1],
        [['A=1'], 'include', 2],
        [['B=1'], 'include', 2],
      ],
    ],
    ['env: {A: 1}\njobs: [{env: B=1}]', [[[{ A: 1 }, 'B=1'], 'include', 2]]],
    ['jobs: {include: []}', [[undefined, 'default', null]]],
    ['jobs: [{env: B=1}, {env: B=1}, {env: [B=1]}]', [[['B=1'], 'include', 1]]],
    ['jobs: [text, ~, {}, 3, {env: B=1}]', [[['B=1'], 'include', 1]]],
  ])('%j', (text, expected) => {
    expect(envs(text)).toEqual(expected)
  })
})

describe('exclude', () => {
  test.each([
    ['{env: A=1}', ['A=2']],
    ['{env: [A=1]}', ['A=2']],
    ['{env: A=1, language: go}', ['A=1', 'A=2']],
    ['{language: c}', []],
    ['{language: c, if: false}', ['A=1', 'A=2']],
  ])('%s leaves %j', (entry, left) => {
    const { jobs } = plan(`language: c\nenv: [A=1, A=2]\njobs: {exclude: [${entry}]}`)
    expect(jobs.map(({ config }) => (config.env as string[]).join())).toEqual(left)
  })
})

/** `stage: name` of each job, with a question mark for those that may fail. */
function order({ jobs }: { jobs: PlannedJob[] }): string[] {
  return jobs.map(
    ({ stage, name, allow_failure }) => `${stage}: ${name}${allow_failure ? '?' : ''}`,
  )
}

describe('allow_failures', () => {
  const include =
    '{name: a, env: A=1, os: linux}, {name: b, env: A=2}, {name: c, env: A=3, allow_failure: true}'

  test.each([
    ['[{env: A=1}]', ['null: b', 'null: a?', 'null: c?']],
    ['[{name: b}]', ['null: a', 'null: b?', 'null: c?']],
    ['[{os: [linux]}]', ['null: b', 'null: a?', 'null: c?']],
    ['{language: c}', ['null: a?', 'null: b?', 'null: c?']],
    ['[{stage: Test, name: a}]', ['null: b', 'null: a?', 'null: c?']],
    ['[{env: A=9}]', ['null: a', 'null: b', 'null: c?']],
    ['[{name: a, if: branch = main}]', ['null: a', 'null: b', 'null: c?']],
    ['[{}]', ['null: a', 'null: b', 'null: c?']],
    ['~', ['null: a', 'null: b', 'null: c?']],
  ])('%s', (allowed, expected) => {
    const text = `language: c\njobs: {include: [${include}], allow_failures: ${allowed}}`
    expect(order(plan(text))).toEqual(expected)
  })

  test('the other spelling works as well', () => {
    const text = 'jobs: {include: [{name: a}], allowed_failures: [{name: a}]}'
    expect(order(plan(text))).toEqual(['null: a?'])
  })
})

describe('stages', () => {
  test.each([
    [
      'stages: [a, b]\njobs: [{stage: b, name: x}, {stage: a, name: y}]',
      ['a', 'b'],
      ['a: y', 'b: x'],
    ],
    ['jobs: [{stage: b, name: x}, {stage: a, name: y}]', ['b', 'a'], ['b: x', 'a: y']],
    ['jobs: [{stage: b, name: x}, {name: y}]', ['b'], ['b: x', 'b: y']],
    ['jobs: [{name: x}, {stage: b, name: y}]', ['test', 'b'], ['test: x', 'b: y']],
    [
      'stages: [b, Test]\njobs: [{name: x}, {stage: b, name: y}]',
      ['b', 'Test'],
      ['b: y', 'Test: x'],
    ],
    [
      'jobs: [{stage: Deploy, name: x}, {stage: deploy, name: y}]',
      ['Deploy'],
      ['Deploy: x', 'Deploy: y'],
    ],
    ['stages: [none, a]\njobs: [{stage: a, name: x}]', ['a'], ['a: x']],
    ['stages: [{name: a, if: false}, b]\njobs: [{stage: a, name: x}]', ['a'], ['a: x']],
    ['stages: a\njobs: [{name: x}]', ['test'], ['test: x']],
    ['stages: [a]', ['test'], ['test: null']],
    ['jobs: [{stage: 1, name: x}]', ['1'], ['1: x']],
    [
      'jobs: [{stage: a, name: x, allow_failure: true}, {stage: b, name: y}, {stage: a, name: z}]',
      ['a', 'b'],
      ['a: z', 'a: x?', 'b: y'],
    ],
  ])('%j', (text, stages, jobs) => {
    const made = plan(text)
    expect({ stages: made.stages, jobs: order(made) }).toEqual({ stages, jobs })
  })

  test('the stage of a job stands in its config as it is spelled for all', () => {
    const [, second] = plan('jobs: [{stage: A, name: x}, {stage: a, name: y}]').jobs
    expect(second?.config).toEqual({ stage: 'A', name: 'y' })
  })
})

test.each([
  ['jobs: {fast_finish: true}', true],
  ['matrix: {fast_finish: yes}', true],
  ['jobs: {fast_finish: false}', false],
  ['jobs: {fast_finish: {toString: x}}', false],
  ['fast_finish: true', false],
])('%j: fast finish is %j', (text, expected) => {
  expect(plan(text).fast_finish).toBe(expected)
})

test('more jobs than a build may have are still more than that', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `- A=${index}`)
  expect(plan(`env:\n${lines.join('\n')}`).jobs.length).toBeGreaterThan(200)
})

const keys = fc.constantFrom(
  ...['env', 'jobs', 'matrix', 'include', 'exclude', 'allow_failures', 'stages', 'stage', 'name'],
  ...['global', 'fast_finish', 'allow_failure', 'script', 'branches', 'only', 'except', 'secure'],
  ...['if', '<<', '__proto__', 'toString', 'constructor', '_x', ''],
)

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant('/x/')),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 5, noNullPrototype: false }),
  ),
}))

const yamlText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '- ',
        '? ',
        ': ',
        '&a ',
        '*a ',
        '<<: ',
        '\n',
        '\n  ',
        '[',
        ']',
        '{',
        '}',
        ', ',
      ),
      fc.constantFrom('|\n', '>', '"', "'", '#', '%', '---\n', '!!str ', '\t', '\r', '\0', '@'),
      keys.map((key) => `\n${key}: `),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

test.each([
  ['text', yamlText],
  ['values', anyValue.map((value) => JSON.stringify(value))],
  ['values of the keys', fc.dictionary(keys, anyValue).map((value) => JSON.stringify(value))],
])('no %s make reading, expanding or filtering fail', (_, texts) => {
  fc.assert(
    fc.property(texts, fc.string(), (text, branch) => {
      const file = readBuildFile(text)
      const { jobs, stages } = expandJobs(file)
      branchDecision(file.config, branch)
      expect(jobs.every(({ stage }) => (stage === null) === (stages.length === 0))).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
