import { describe, expect, test } from 'vitest'
import { explainJobs } from '../../../src/buildfile/expand/explain-jobs.ts'

type Config = Record<string, unknown>
type Path = readonly (string | number)[]

const data = { type: 'push', branch: 'main', tag: null }

/** Gives the places that are asked for the lines 1, 2, 3 …, as listed. */
const linesOf =
  (...paths: string[]) =>
  (path: Path) =>
    paths.indexOf(path.join('.')) + 1 || null

test('an explanation shows the values of each job, its origin and whether it can fail', () => {
  const config = {
    language: 'ruby',
    os: ['linux'],
    dist: 'focal',
    rvm: ['3.1', '3.2'],
    env: { global: [{ G: '1' }, { secure: 'YWJj' }], jobs: [{ A: '"x y"', B: '2' }] },
    script: ['rake'],
    jobs: {
      include: [
        { os: 'osx', osx_image: 'xcode9', name: 'mac', env: [{ T: { secure: 'YWJj' } }] },
        { stage: 'deploy', name: 'ship', allow_failure: true },
      ],
      allow_failures: [{ rvm: '3.2' }],
    },
  }
  const lineOf = linesOf(
    ...['rvm.0', 'rvm.1', 'env.jobs.0', 'jobs.include.0', 'jobs.include.1'],
    ...['jobs.include.1.allow_failure', 'jobs.allow_failures.0'],
  )
  expect(explainJobs(config, { data, lineOf })).toEqual({
    total: 4,
    complete: true,
    combinations: 4,
    columns: ['language', 'os', 'dist', 'rvm', 'osx_image'],
    axes: [
      { key: 'os', values: 1 },
      { key: 'rvm', values: 2 },
      { key: 'env', values: 1 },
    ],
    global_env: ['G=1', '[secure]'],
    stages: [
      { number: 1, name: 'test', config: { name: 'test' } },
      { number: 2, name: 'deploy', config: { name: 'deploy' } },
    ],
    jobs: [
      {
        number: 1,
        stage: 'test',
        stage_number: '1.1',
        name: null,
        values: { language: 'ruby', os: 'linux', dist: 'focal', rvm: '3.1', osx_image: null },
        env: ['A="x y" B=2'],
        origin: {
          kind: 'matrix',
          line: 1,
          cell: [
            { key: 'os', number: 1, of: 1, line: null },
            { key: 'rvm', number: 1, of: 2, line: 1 },
            { key: 'env', number: 1, of: 1, line: 3 },
          ],
        },
        allowed_to_fail: null,
      },
      {
        number: 2,
        stage: 'test',
        stage_number: '1.2',
        name: 'mac',
        values: { language: 'ruby', os: 'osx', dist: null, rvm: '3.1', osx_image: 'xcode9' },
        env: ['T=[secure]'],
        origin: { kind: 'include', line: 4, entry: 1 },
        allowed_to_fail: null,
      },
      {
        number: 3,
        stage: 'test',
        stage_number: '1.3',
        name: null,
        values: { language: 'ruby', os: 'linux', dist: 'focal', rvm: '3.2', osx_image: null },
        env: ['A="x y" B=2'],
        origin: {
          kind: 'matrix',
          line: 2,
          cell: [
            { key: 'os', number: 1, of: 1, line: null },
            { key: 'rvm', number: 2, of: 2, line: 2 },
            { key: 'env', number: 1, of: 1, line: 3 },
          ],
        },
        allowed_to_fail: { entry: 1, line: 7 },
      },
      {
        number: 4,
        stage: 'deploy',
        stage_number: '2.1',
        name: 'ship',
        values: { language: 'ruby', os: 'linux', dist: 'focal', rvm: '3.1', osx_image: null },
        env: ['A="x y" B=2'],
        origin: { kind: 'include', line: 5, entry: 2 },
        allowed_to_fail: { entry: null, line: 6 },
      },
    ],
    dropped: [],
    messages: [],
    fast_finish: false,
  })
})

describe('the reason why a job was dropped is', () => {
  const whys = (config: Config, ...paths: string[]) =>
    explainJobs(config, { data, lineOf: linesOf(...paths) }).dropped.map(({ why }) => why)

  test('an exclude, shown with the values of the job', () => {
    const config = {
      rvm: ['1', '2'],
      env: { global: [{ G: '1' }], jobs: [{ A: '1' }] },
      jobs: { exclude: [{ rvm: '3' }, { rvm: '2' }] },
    }
    const lineOf = linesOf('rvm.1', 'jobs.exclude.1')
    expect(explainJobs(config, { data, lineOf }).dropped).toEqual([
      {
        name: null,
        stage: null,
        values: { rvm: '2' },
        env: ['A=1'],
        origin: {
          kind: 'matrix',
          line: 1,
          cell: [
            { key: 'rvm', number: 2, of: 2, line: 1 },
            { key: 'env', number: 1, of: 1, line: null },
          ],
        },
        why: { kind: 'excluded', entry: 2, line: 2 },
      },
    ])
  })

  test('its own condition, with the values that it was evaluated with', () => {
    const include = [{ name: 'a' }, { if: 'branch = dev OR env(A) = 2', env: [{ A: '1' }] }]
    expect(whys({ if: 'true', jobs: { include } }, 'jobs.include.1.if', 'if')).toEqual([
      {
        kind: 'condition',
        condition: 'branch = dev OR env(A) = 2',
        line: 1,
        saw: [
          { text: 'branch', value: 'main' },
          { text: 'env(A)', value: '1' },
        ],
        error: null,
      },
    ])
  })

  test('the condition of the root', () => {
    const config = { if: 'tag IS present', jobs: { include: [{ name: 'a' }] } }
    expect(whys(config, 'jobs.include.0.if', 'if')).toEqual([
      {
        kind: 'condition',
        condition: 'tag IS present',
        line: 2,
        saw: [{ text: 'tag', value: null }],
        error: null,
      },
    ])
  })

  test('a condition that cannot be read', () => {
    const [unreadable, odd] = whys({ jobs: { include: [{ if: 'branch =' }, { if: true }] } })
    expect(unreadable).toEqual({
      kind: 'condition',
      condition: 'branch =',
      line: null,
      saw: [],
      error: expect.stringMatching(/./) as string,
    })
    expect(odd).toMatchObject({ condition: 'true', saw: [], error: 'it is not a text' })
  })

  test('a condition that cannot be decided', () => {
    const [why] = whys({ jobs: { include: [{ if: 'branch =~ concat("(")' }] } })
    expect(why).toMatchObject({
      saw: [
        { text: 'branch', value: 'main' },
        { text: 'concat("(")', value: '(' },
      ],
      error: expect.stringMatching(/./) as string,
    })
  })

  test('the condition of its stage', () => {
    const stages = [{ name: 'test' }, { name: 'Deploy', if: 'branch = dev' }]
    const config = { stages, jobs: { include: [{ name: 'a' }, { stage: 'deploy', name: 'b' }] } }
    expect(explainJobs(config, { data, lineOf: linesOf('stages.1.if') }).dropped).toEqual([
      {
        name: 'b',
        stage: 'deploy',
        values: {},
        env: [],
        origin: { kind: 'include', line: null, entry: 2 },
        why: {
          kind: 'stage',
          entry: 2,
          stage: 'Deploy',
          condition: 'branch = dev',
          line: 1,
          saw: [{ text: 'branch', value: 'main' }],
          error: null,
        },
      },
    ])
  })

  test('an equal job', () => {
    const include = [
      { name: 'b', stage: 'z' },
      { name: 'a', stage: 'y' },
      { name: 'a', stage: 'y' },
    ]
    const config = { stages: [{ name: 'y' }], jobs: { include } }
    expect(whys(config, 'jobs.include.1')).toEqual([
      { kind: 'duplicate', of: { number: 1, origin: { kind: 'include', line: 1, entry: 2 } } },
    ])
  })

  test('an equal job that was itself dropped', () => {
    const include = [{ if: 'false' }, { if: 'false' }, { name: 'a' }]
    expect(whys({ jobs: { include } })).toEqual([
      { kind: 'condition', condition: 'false', line: null, saw: [], error: null },
      {
        kind: 'duplicate',
        of: { number: null, origin: { kind: 'include', line: null, entry: 1 } },
      },
    ])
  })

  test('that it was a matrix of one job', () => {
    expect(whys({ rvm: ['1'], jobs: { include: [{ name: 'a' }] } })).toEqual([{ kind: 'replaced' }])
  })
})

test('without an event no condition is evaluated', () => {
  const { dropped, jobs } = explainJobs({ jobs: { include: [{ if: 'false' }] } })
  expect([dropped, jobs.length]).toEqual([[], 1])
})

describe('values in an explanation', () => {
  const [job] = explainJobs({
    language: 'dart',
    os: 3,
    dist: { secure: 'YWJj' },
    dart_task: [{ test: '-p vm', key: { secure: 'YWJj' } }],
    env: { jobs: [{ A: null, B: true, C: { d: { secure: 'YWJj' } }, secure_not: 'x' }] },
  }).jobs

  test('are strings or JSON, without encrypted values', () => {
    expect(job?.values).toEqual({
      language: 'dart',
      os: '3',
      dist: '"[secure]"',
      dart_task: '{"test":"-p vm","key":"[secure]"}',
    })
  })

  test('are definitions if they are in env', () => {
    expect(job?.env).toEqual(['A= B=true C={"d":"[secure]"} secure_not=x'])
  })

  test('are shown even if the file is malformed', () => {
    const env = { jobs: [['a'], 3, 'A=1', { secure: 'x', more: 'y' }] }
    expect(explainJobs({ env }).jobs.map((one) => one.env)).toEqual([
      ['a'],
      ['3'],
      ['A=1'],
      ['[secure]'],
    ])
  })
})

test('every key in which jobs differ is a column, even if only jobs.include has it', () => {
  const config = {
    language: 'shell',
    os: ['linux'],
    git: { depth: 3 },
    script: ['make'],
    jobs: {
      include: [
        { script: ['make test'], deploy: [{ provider: 'heroku', api_key: 'sesame' }] },
        { script: ['make test'], git: { depth: 5 }, if: 'type = push' },
        { script: ['make', 'make install'], name: 'all', stage: 'test' },
      ],
    },
  }
  const { columns, jobs } = explainJobs(config, { data })
  expect(columns).toEqual(['language', 'os', 'script', 'deploy', 'git'])
  expect(jobs.map(({ values }) => [values.script, values.deploy, values.git])).toEqual([
    ['make test', 'heroku', '{"depth":3}'],
    ['make test', null, '{"depth":5}'],
    ['make, make install', null, '{"depth":3}'],
  ])
})
