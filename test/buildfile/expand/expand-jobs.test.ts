import { describe, expect, test } from 'vitest'
import { expandJobs } from '../../../src/buildfile/expand/expand-jobs.ts'
import type { Plan } from '../../../src/buildfile/expand/plan.ts'

type Config = Record<string, unknown>

const push = { type: 'push', branch: 'main', repo: 'octavia/hello', tag: null, fork: false }

const plan = (config: Config) => expandJobs(config, { data: push })
const configs = (config: Config) => plan(config).jobs.map((job) => job.config)

/** `stage: name` of each job, with a question mark behind those that may fail. */
function order({ jobs }: Pick<Plan, 'jobs'>): string[] {
  return jobs.map(
    ({ stage, name, allow_failure }) => `${stage}: ${name}${allow_failure ? '?' : ''}`,
  )
}

const skipped = (config: Config) => plan(config).messages.map(({ code, args }) => [code, args])

test('a plan holds all results of expansion', () => {
  const config = {
    language: 'ruby',
    rvm: ['1', '2'],
    env: { global: [{ G: '1' }], jobs: [{ A: '1' }] },
    stages: [{ name: 'Test' }, { name: 'deploy', if: 'branch = main' }],
    jobs: {
      include: [{ stage: 'Deploy', name: 'ship', script: ['make'] }],
      allow_failures: [{ rvm: '1', env: [{ A: '1' }], branch: 'main' }],
      fast_finish: true,
    },
    notifications: { email: [{ enabled: false }] },
  }
  const lines = new Map([
    ['rvm.0', 2],
    ['rvm.1', 3],
    ['env.jobs.0', 5],
    ['jobs.include.0', 9],
  ])
  const lineOf = (path: readonly (string | number)[]) => lines.get(path.join('.')) ?? null
  expect(expandJobs(config, { data: push, lineOf })).toEqual({
    jobs: [
      {
        config: { language: 'ruby', rvm: '2', env: [{ G: '1' }, { A: '1' }], stage: 'Test' },
        allow_failure: false,
        name: null,
        stage: 'Test',
        number: 1,
        stage_number: '1.1',
        origin: {
          kind: 'matrix',
          line: 3,
          cell: [
            { key: 'rvm', number: 2, of: 2, line: 3 },
            { key: 'env', number: 1, of: 1, line: 5 },
          ],
        },
      },
      {
        config: {
          language: 'ruby',
          rvm: '1',
          env: [{ G: '1' }, { A: '1' }],
          stage: 'Test',
          allow_failure: true,
        },
        allow_failure: true,
        name: null,
        stage: 'Test',
        number: 2,
        stage_number: '1.2',
        origin: {
          kind: 'matrix',
          line: 2,
          cell: [
            { key: 'rvm', number: 1, of: 2, line: 2 },
            { key: 'env', number: 1, of: 1, line: 5 },
          ],
        },
      },
      {
        config: {
          language: 'ruby',
          rvm: '1',
          env: [{ G: '1' }, { A: '1' }],
          stage: 'Deploy',
          name: 'ship',
          script: ['make'],
          allow_failure: true,
        },
        allow_failure: true,
        name: 'ship',
        stage: 'deploy',
        number: 3,
        stage_number: '2.1',
        origin: { kind: 'include', line: 9, entry: 1 },
      },
    ],
    total: 3,
    complete: true,
    combinations: 3,
    stages: [
      { name: 'Test', number: 1, config: { name: 'Test' } },
      { name: 'deploy', number: 2, config: { name: 'deploy', if: 'branch = main' } },
    ],
    axes: ['rvm', 'env'],
    differing: ['rvm', 'script'],
    messages: [],
    dropped: [],
    left_out: [],
    notifications: { email: [{ enabled: false }] },
    fast_finish: true,
  })
})

describe('17.11: a job whose condition does not hold is dropped', () => {
  test.each<[string, Config, Config[]]>([
    [
      'its own',
      { include: [{ if: 'branch = main' }, { if: 'branch = dev', name: 'a' }] },
      [{ if: 'branch = main' }],
    ],
    [
      'its own os',
      { include: [{ os: 'osx', if: 'os = osx' }, { if: 'os = osx' }] },
      [{ os: 'osx', if: 'os = osx' }],
    ],
    [
      'its own env',
      {
        include: [
          { env: [{ A: '1' }], if: 'env(A) = 1' },
          { env: [{ A: '2' }], if: 'env(A) = 1' },
        ],
      },
      [{ env: [{ A: '1' }], if: 'env(A) = 1' }],
    ],
    [
      'one that cannot be read',
      { include: [{ if: 'branch =' }, { if: true }, { name: 'a' }] },
      [{ name: 'a' }],
    ],
  ])('%s', (_, jobs, expected) => {
    expect(configs({ jobs })).toEqual(expected)
  })

  test('which is reported once for each condition', () => {
    const include = [
      ...[
        { if: 'branch = dev', name: 'a' },
        { if: 'branch = dev', name: 'b' },
      ],
      ...[{ if: 'branch = x' }, { if: 'branch = main' }],
    ]
    expect(plan({ jobs: { include } }).messages).toEqual([
      {
        level: 'info',
        key: ['jobs', 'include'],
        code: 'skip_job',
        args: { number: 1, condition: 'branch = dev' },
      },
      {
        level: 'info',
        key: ['jobs', 'include'],
        code: 'skip_job',
        args: { number: 1, condition: 'branch = x' },
      },
    ])
  })

  test('by the condition of the root, unless it has its own', () => {
    const jobs = { include: [{ name: 'a' }, { name: 'b', if: 'branch = main' }] }
    expect(order(plan({ if: 'branch = dev', jobs }))).toEqual(['null: b'])
  })

  test('by a condition that is evaluated with global variables, those of the job and those of the event', () => {
    const config = (text: string) => ({
      env: { global: [{ G: '1', A: '0' }] },
      jobs: { include: [{ env: [{ A: '1' }], if: text }] },
    })
    const data = { ...push, env: ['A=3', { S: '1', G: '2' }] }
    const holds = (text: string) => expandJobs(config(text), { data }).jobs.length === 1
    expect(holds('env(G) = 1 AND env(A) = 1 AND env(S) = 1')).toBe(true)
  })
})

test('17.8: an exclude whose condition does not hold is ignored, and reported', () => {
  const config = (condition: string) => ({
    rvm: ['1', '2'],
    jobs: { exclude: [{ rvm: '1', if: condition }] },
  })
  expect(configs(config('branch = main'))).toEqual([{ rvm: '2' }])
  expect(configs(config('branch = dev'))).toEqual([{ rvm: '1' }, { rvm: '2' }])
  expect(plan(config('branch = dev')).messages).toEqual([
    {
      level: 'info',
      key: ['jobs', 'exclude'],
      code: 'skip_exclude',
      args: { number: 1, condition: 'branch = dev' },
    },
  ])
})

describe('18.1 and 18.2: a job without a stage is in the stage "test" if there are stages', () => {
  test.each<[Config, (string | null)[], unknown[]]>([
    [{}, [null], [undefined]],
    [{ stages: [] }, [null], [undefined]],
    [{ stages: [{ name: 'a' }] }, ['test'], ['test']],
    [{ stages: [{ name: 'TEST' }] }, ['TEST'], ['TEST']],
    [{ stages: [{ name: 'a' }, { name: 'Test' }, { name: 'test' }] }, ['Test'], ['Test']],
    [{ stages: [{ if: 'branch = main' }, 'a', { b: 'c' }] }, ['test'], ['test']],
    [{ stage: 'x' }, ['x'], ['x']],
    [
      { rvm: ['1', '2'], jobs: { include: [{ stage: 'Test', name: 'c' }] } },
      ['Test', 'Test', 'Test'],
      ['Test', 'Test', 'Test'],
    ],
    [
      { rvm: ['1', '2'], jobs: { include: [{ stage: 'A' }, { stage: 'a', name: 'b' }] } },
      ['test', 'test', 'A', 'A'],
      ['test', 'test', 'A', 'a'],
    ],
    [{ jobs: { include: [{ stage: '' }] } }, [null], ['']],
  ])('%j: %j', (config, stages, written) => {
    const { jobs } = plan(config)
    expect(jobs.map(({ stage }) => stage)).toEqual(stages)
    expect(jobs.map((job) => job.config.stage)).toEqual(written)
  })
})

describe('18.3: stages', () => {
  const include = [
    ...[
      { stage: 'one', name: 'a' },
      { stage: 'two', name: 'b' },
      { stage: 'ONE', name: 'c' },
    ],
    ...[{ stage: 'three', name: 'd' }],
  ]

  test.each<[unknown, string[], string[]]>([
    [undefined, ['one', 'two', 'three'], ['one: a', 'one: c', 'two: b', 'three: d']],
    [[{ name: 'Two' }], ['Two', 'one', 'three'], ['Two: b', 'one: a', 'one: c', 'three: d']],
    [
      [{ name: 'two' }, { name: 'none' }, { name: 'Two' }],
      ['two', 'one', 'three'],
      ['two: b', 'one: a', 'one: c', 'three: d'],
    ],
    [[{ name: 'One', if: 'branch = dev' }], ['two', 'three'], ['two: b', 'three: d']],
    [
      [{ name: 'one', if: 'branch = main' }, { name: 'three' }],
      ['one', 'three', 'two'],
      ['one: a', 'one: c', 'three: d', 'two: b'],
    ],
    // Of two entries for one stage, one that holds is enough.
    [
      [
        { name: 'one', if: 'branch = dev' },
        { name: 'One', if: 'branch = main' },
      ],
      ['one', 'two', 'three'],
      ['one: a', 'one: c', 'two: b', 'three: d'],
    ],
  ])('%j', (stages, names, jobs) => {
    const made = plan({ stages, jobs: { include } })
    expect(made.stages.map(({ name, number }) => [number, name])).toEqual(
      names.map((name, index) => [index + 1, name]),
    )
    expect(order(made)).toEqual(jobs)
  })

  test('a skipped stage is reported with its position in the section', () => {
    const stages = [{ name: 'a' }, { if: 'branch = x' }, { name: 'b', if: 'branch = y' }]
    expect(plan({ stages }).messages).toEqual([
      {
        level: 'info',
        key: ['stages'],
        code: 'skip_stage',
        args: { number: 2, condition: 'branch = x' },
      },
      {
        level: 'info',
        key: ['stages'],
        code: 'skip_stage',
        args: { number: 3, condition: 'branch = y' },
      },
    ])
  })

  test('conditions of stages are evaluated with the keys of the root, and all of its env', () => {
    const skips = (text: string) =>
      skipped({
        language: 'go',
        env: { global: [{ G: '1' }], jobs: [{ A: '1' }] },
        stages: [{ name: 'test', if: text }],
      }).length
    expect(skips('language = go AND env(G) = 1 AND env(A) = 1')).toBe(0)
    expect(skips('language = ruby')).toBe(1)
  })

  test('without jobs there are no stages', () => {
    const made = plan({ stages: [{ name: 'test', if: 'branch = dev' }] })
    expect([made.jobs, made.stages]).toEqual([[], []])
  })
})

test('18.4: a notification whose condition does not hold is left out, and reported', () => {
  const slack = [
    { rooms: ['a'], if: 'branch = main' },
    { rooms: ['b'], if: 'branch = dev' },
  ]
  const email = [{ enabled: false }]
  const { notifications, messages } = plan({ notifications: { slack, email, odd: 'x' } })
  expect(notifications).toEqual({ slack: [slack[0]], email, odd: 'x' })
  expect(messages).toEqual([
    {
      level: 'info',
      key: ['notifications', 'slack'],
      code: 'skip_notification',
      args: { type: 'slack', number: 1, condition: 'branch = dev' },
    },
  ])
})

describe('18.5: a job can fail', () => {
  const config = {
    language: 'ruby',
    env: { global: [{ G: '1' }, { H: '1' }] },
    jobs: {
      include: [
        { name: 'a', rvm: '1', env: [{ A: '1' }] },
        { name: 'b', rvm: '2', env: [{ A: '1' }, { B: '1' }] },
        { name: 'c', os: 'osx', stage: 'Test' },
      ],
    },
  }

  function allowed(allow_failures: unknown): string {
    const { jobs } = plan({ ...config, jobs: { ...config.jobs, allow_failures } })
    return jobs.flatMap(({ name, allow_failure }) => (allow_failure ? (name ?? '') : [])).join('')
  }

  test.each<[unknown, string]>([
    [[{ rvm: '1' }], 'a'],
    [{ rvm: '1' }, 'a'],
    [[{ rvm: '1' }, { os: 'osx' }], 'ac'],
    [[{ rvm: '1', os: 'osx' }], ''],
    [[{ rvm: ['1'] }], ''],
    [[{ language: 'ruby' }], 'abc'],
    [[{ name: 'b' }], 'b'],
    // The stage is that of the job, as written.
    [[{ stage: 'Test' }], 'abc'],
    [[{ stage: 'test' }], ''],
    // The env is all that is not global,
    [[{ env: [{ A: '1' }] }], 'a'],
    [[{ env: [{ A: '1' }, { B: '1' }] }], 'b'],
    [[{ env: [{ B: '1' }] }], ''],
    // but an entry that names something global only must be there.
    [[{ env: [{ G: '1' }] }], 'abc'],
    [[{ env: [{ G: '1' }, { A: '1' }] }], 'ab'],
    [[{ env: [{ B: '1' }, { H: '1' }] }], 'b'],
    [[{ env: [{ G: '1' }, { C: '1' }] }], ''],
    [[{ branch: 'main' }], 'abc'],
    [[{ branch: 'main', rvm: '2' }], 'b'],
    [[{ branch: 'dev' }], ''],
    [[{ rvm: '1', if: 'branch = main' }], 'a'],
    [[{ rvm: '1', if: 'branch = dev' }], ''],
    [[{ if: 'branch = main' }], 'abc'],
    [[{ if: 'os = osx' }], 'c'],
    [[{}, null, 'rvm', true], ''],
  ])('if it matches one of the entries %j: %j', (entries, expected) => {
    expect(allowed(entries)).toBe(expected)
  })

  test('if it has its own `allow_failure`', () => {
    const include = [
      { name: 'a', allow_failure: true },
      { name: 'b', allow_failure: false },
    ]
    expect(plan({ jobs: { include } }).jobs.map((job) => [job.config, job.allow_failure])).toEqual([
      [{ name: 'b', allow_failure: false }, false],
      [{ name: 'a', allow_failure: true }, true],
    ])
  })

  test('but not if the condition of the entry does not hold, which is reported with the job’s number', () => {
    const allow_failures = [
      { rvm: '2', if: 'branch = x' },
      { rvm: '2', if: 'branch = main' },
    ]
    const made = plan({ rvm: ['1', '2', '3'], jobs: { allow_failures } })
    expect(made.messages).toEqual([
      {
        level: 'info',
        key: ['jobs', 'allow_failures'],
        code: 'skip_allow_failure',
        args: { number: 2, condition: 'branch = x' },
      },
    ])
    expect(made.jobs.map((job) => [job.config.rvm, job.allow_failure])).toEqual([
      ['1', false],
      ['3', false],
      ['2', true],
    ])
  })
})

describe('18.6: jobs', () => {
  test('are sorted by stage, then those that can fail last, then in their former order', () => {
    const include = [
      { stage: 'b', name: '1', allow_failure: true },
      { stage: 'a', name: '2', allow_failure: true },
      { stage: 'b', name: '3' },
      { stage: 'a', name: '4' },
      { stage: 'a', name: '5' },
    ]
    const made = plan({ stages: [{ name: 'a' }], jobs: { include } })
    expect(order(made)).toEqual(['a: 4', 'a: 5', 'a: 2?', 'b: 3', 'b: 1?'])
  })

  test('that became equal are merged', () => {
    const include = [{ name: 'a' }, { name: 'a', stage: 'test' }]
    expect(configs({ jobs: { include } })).toEqual([{ name: 'a', stage: 'test' }])
    const allowed = [{ name: 'b' }, { name: 'b', allow_failure: true }]
    const jobs = { include: allowed, allow_failures: [{ name: 'b' }] }
    expect(configs({ jobs })).toEqual([{ name: 'b', allow_failure: true }])
  })
})

test('18.7: jobs are numbered within the build and within their stage', () => {
  const include = [{ stage: 'a' }, { stage: 'b', name: 'x' }, { stage: 'a', name: 'y' }]
  const numbers = (config: Config) =>
    plan(config).jobs.map(({ number, stage_number }) => [number, stage_number])
  expect(numbers({ jobs: { include } })).toEqual([
    [1, '1.1'],
    [2, '1.2'],
    [3, '2.1'],
  ])
  expect(numbers({ rvm: ['1', '2'] })).toEqual([
    [1, null],
    [2, null],
  ])
})

test.each<[unknown, boolean]>([
  [{ fast_finish: true }, true],
  [{ fast_finish: false }, false],
  [{ fast_finish: 'true' }, false],
  [[{ fast_finish: true }], false],
  [undefined, false],
])('18.8: fast finish of %j: %j', (jobs, expected) => {
  expect(plan({ jobs }).fast_finish).toBe(expected)
})

test('messages are sorted by the steps of expansion', () => {
  const config = {
    rvm: ['1', '2'],
    stages: [{ name: 'x', if: 'branch = s' }],
    notifications: { irc: [{ if: 'branch = n' }] },
    jobs: {
      include: [{ if: 'branch = j' }],
      exclude: [{ rvm: '2', if: 'branch = e' }],
      allow_failures: [{ rvm: '2', if: 'branch = a' }],
    },
  }
  expect(skipped(config)).toEqual([
    ['skip_exclude', { number: 1, condition: 'branch = e' }],
    ['skip_job', { number: 1, condition: 'branch = j' }],
    ['skip_stage', { number: 1, condition: 'branch = s' }],
    ['skip_notification', { type: 'irc', number: 1, condition: 'branch = n' }],
    ['skip_allow_failure', { number: 2, condition: 'branch = a' }],
  ])
})

test('without an event every condition holds, and every branch matches', () => {
  const config = {
    if: 'false',
    rvm: ['1', '2', '3'],
    stages: [{ name: 'test', if: 'nonsense =' }],
    notifications: { irc: [{ if: 'false' }] },
    jobs: {
      include: [{ rvm: '4', if: 'false' }],
      exclude: [{ rvm: '2', if: 'false' }],
      allow_failures: [{ rvm: '1', branch: 'dev', if: 'false' }],
    },
  }
  const { jobs, stages, notifications, messages } = expandJobs(config)
  expect(jobs.map((job) => [job.config.rvm, job.allow_failure])).toEqual([
    ['3', false],
    ['4', false],
    ['1', true],
  ])
  expect(stages.map(({ name }) => name)).toEqual(['test'])
  expect([notifications, messages]).toEqual([config.notifications, []])
})

describe('the origin of jobs', () => {
  const origins = (config: Config) => plan(config).jobs.map(({ origin }) => origin)

  test('is the default for a file without choices', () => {
    expect(origins({ script: ['a'] })).toEqual([{ kind: 'default', line: null }])
  })

  test('is the matrix for a file whose axes have one value each', () => {
    expect(origins({ os: ['linux'], rvm: ['1'] })).toEqual([
      {
        kind: 'default',
        line: null,
        cell: [
          { key: 'os', number: 1, of: 1, line: null },
          { key: 'rvm', number: 1, of: 1, line: null },
        ],
      },
    ])
  })

  test('in a matrix is the line of the fastest varying value', () => {
    const lineOf = (path: readonly (string | number)[]) => path.length * 10 + Number(path.at(-1))
    const config = { rvm: ['1', '2'], gemfile: ['a'], env: { jobs: [{ A: '1' }, { A: '2' }] } }
    const { jobs } = expandJobs(config, { lineOf })
    expect(jobs.map(({ origin }) => origin.line)).toEqual([30, 31, 30, 31])
    expect(jobs[2]?.origin.cell).toEqual([
      { key: 'rvm', number: 2, of: 2, line: 21 },
      { key: 'gemfile', number: 1, of: 1, line: 20 },
      { key: 'env', number: 1, of: 2, line: 30 },
    ])
  })

  test('in a list is the position of the included job', () => {
    expect(origins({ jobs: { include: ['odd', { name: 'a' }, { name: 'b' }] } })).toEqual([
      { kind: 'include', line: null, entry: 2 },
      { kind: 'include', line: null, entry: 3 },
    ])
  })
})

describe('too many jobs', () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
  const counts = (config: Config, limit?: number) => {
    const made = expandJobs(config, { ...(limit === undefined ? {} : { limit }) })
    return [made.jobs.length, made.total, made.complete, made.combinations]
  }

  test.each<[string, Config, unknown[]]>([
    ['exactly the maximum', { rvm: values(200) }, [200, 200, true, 200]],
    ['one more than the maximum', { rvm: values(201) }, [200, 201, true, 201]],
    [
      'many, but few after exclusion',
      {
        rvm: values(40),
        gemfile: values(40),
        jobs: { exclude: values(39).map((gemfile) => ({ gemfile })) },
      },
      [40, 40, true, 1600],
    ],
    [
      'a huge matrix',
      { rvm: values(1000), gemfile: values(1000), jdk: values(1000) },
      [200, 201, false, 1e9],
    ],
    [
      'a huge matrix of dropped jobs',
      { rvm: values(1000), gemfile: values(1000), sudo: true, jobs: { exclude: [{ sudo: true }] } },
      [0, 0, false, 1e6],
    ],
    [
      'many included jobs',
      { jobs: { include: values(10_000).map((name) => ({ name })) } },
      [200, 201, false, 10_000],
    ],
  ])('%s', (_, config, expected) => {
    expect(counts(config)).toEqual(expected)
  })

  test('the limit can be changed', () => {
    expect(counts({ rvm: values(20) }, 10)).toEqual([10, 20, true, 20])
    expect(counts({ rvm: values(200) }, 10)).toEqual([10, 11, false, 200])
  })
})
