import { describe, expect, test } from 'vitest'
import { expandMatrix } from '../../../src/buildfile/expand/expand-matrix.ts'

type Config = Record<string, unknown>

const axes = (config: Config) => expandMatrix(config).axes
const rows = (config: Config) => expandMatrix(config).rows

describe('17.1: the axes are the non-empty matrix keys that the root supports', () => {
  test.each<[Config, string[]]>([
    [{}, []],
    [{ os: ['linux'] }, ['os']],
    [{ rvm: ['1'], os: ['linux'], language: 'ruby' }, ['os', 'rvm']],
    [{ env: { jobs: [{ A: '1' }] }, python: ['3'], language: 'python' }, ['python', 'env']],
    [{ elm: ['a'], node_js: ['1'], language: 'elm' }, ['elm', 'node_js']],
    [{ rvm: ['1'], python: ['3'], language: 'python' }, ['python']],
    [{ rvm: ['1'], python: ['3'] }, ['python', 'rvm']],
    [{ arch: ['arm64'], os: ['osx'] }, ['os']],
    [{ arch: ['arm64'], os: ['osx', 'linux'] }, ['os', 'arch']],
    [{ osx_image: ['x'], os: ['linux'] }, ['os']],
    [{ compiler: ['gcc'], language: 'go' }, []],
    [{ rvm: [], env: { global: [{}] } }, []],
    [{ env: { jobs: [{ A: '' }] } }, []],
    [{ env: { global: [{ A: '1' }] } }, ['env']],
    [{ os: 'linux' }, ['os']],
    [{ services: ['docker'], sudo: false }, []],
  ])('%j: %j', (config, expected) => {
    expect(axes(config)).toEqual(expected)
  })
})

describe('17.2: every combination is a job, and later keys vary faster', () => {
  test.each<[Config, Config[]]>([
    [{ rvm: ['1', '2'] }, [{ rvm: '1' }, { rvm: '2' }]],
    [{ rvm: '1' }, [{ rvm: '1' }]],
    [
      { gemfile: ['a', 'b'], rvm: ['1', '2'] },
      [
        { rvm: '1', gemfile: 'a' },
        { rvm: '1', gemfile: 'b' },
        { rvm: '2', gemfile: 'a' },
        { rvm: '2', gemfile: 'b' },
      ],
    ],
    [
      { env: { jobs: [{ A: '1' }, { A: '2' }] }, rvm: ['1', '2'] },
      [
        { rvm: '1', env: [{ A: '1' }] },
        { rvm: '1', env: [{ A: '2' }] },
        { rvm: '2', env: [{ A: '1' }] },
        { rvm: '2', env: [{ A: '2' }] },
      ],
    ],
    // Without `jobs`, env is one value.
    [{ env: { global: [{ A: '1' }, { A: '2' }] } }, [{ env: [{ A: '1' }, { A: '2' }] }]],
    [{ env: { A: '1' } }, [{ env: [{ A: '1' }] }]],
    [{ env: [{ A: '1' }, { B: '1' }] }, [{ env: [{ A: '1' }] }, { env: [{ B: '1' }] }]],
    [{ env: 'A=1' }, [{ env: ['A=1'] }]],
    [{ dart_task: [{ test: 'a' }, 'b'] }, [{ dart_task: { test: 'a' } }, { dart_task: 'b' }]],
  ])('%j: %j', (config, expected) => {
    expect(rows(config)).toEqual(expected)
  })
})

describe('17.3: included jobs', () => {
  test('follow all jobs of the matrix', () => {
    expect(rows({ rvm: ['1', '2'], jobs: { include: [{ rvm: '3' }, { rvm: '4' }] } })).toEqual([
      { rvm: '1' },
      { rvm: '2' },
      { rvm: '3' },
      { rvm: '4' },
    ])
  })

  test('replace a matrix of one job', () => {
    expect(rows({ rvm: ['1'], jobs: { include: [{ rvm: '3' }] } })).toEqual([{ rvm: '3' }])
  })

  test('do not replace a matrix with the same value twice', () => {
    expect(rows({ rvm: ['1', '1'], jobs: { include: [{ rvm: '3' }] } })).toEqual([
      { rvm: '1' },
      { rvm: '3' },
    ])
  })

  test('inherit the stage of the entry before them', () => {
    const include = [
      { name: 'a' },
      { stage: 'x', name: 'b' },
      { name: 'c' },
      { stage: 'y' },
      { if: 'd' },
    ]
    expect(rows({ jobs: { include } })).toEqual([
      { name: 'a' },
      { stage: 'x', name: 'b' },
      { stage: 'x', name: 'c' },
      { stage: 'y' },
      { stage: 'y', if: 'd' },
    ])
  })

  test.each([['text'], [3], [null], [[]], [{}], [['a']], [undefined]])(
    'are not made from invalid or empty entries: %j',
    (entry) => {
      expect(rows({ rvm: ['1'], jobs: { include: [entry] } })).toEqual([{ rvm: '1' }])
    },
  )

  test.each([['text'], [3], [true], [null], [[{ rvm: '3' }]]])(
    'are not found in a section that is not a map: %j',
    (jobs) => {
      expect(rows({ rvm: ['1'], jobs })).toEqual([{ rvm: '1' }])
    },
  )
})

test('17.4: a file without jobs has one job with the shared keys', () => {
  expect(rows({ script: ['a'] })).toEqual([{ script: ['a'] }])
  expect(rows({})).toEqual([{}])
})

describe('17.5: jobs inherit keys that are not empty and not for the whole build only', () => {
  test.each<[Config, Config]>([
    [
      { script: ['a'], sudo: false, git: { depth: 0 } },
      { script: ['a'], sudo: false, git: { depth: 0 } },
    ],
    [
      { _mine: 1, unknown: 'x', name: 'n' },
      { _mine: 1, unknown: 'x', name: 'n' },
    ],
    [
      { if: 'branch = x', cache: { directories: [] } },
      { if: 'branch = x', cache: { directories: [] } },
    ],
    [{ script: [], addons: {}, name: '', group: null }, {}],
    [
      {
        jobs: {},
        import: [{ source: 'a.yml' }],
        stages: [{ name: 'a' }],
        notifications: { email: [], slack: [{ rooms: ['x'] }] },
        version: '= 1',
        allow_failure: true,
        merge_mode: 'merge',
      },
      {},
    ],
    // Matrix keys that the root does not support are no axes, and are not inherited either.
    [{ language: 'go', rvm: ['1'] }, { language: 'go' }],
  ])('%j: %j', (config, expected) => {
    expect(rows(config)).toEqual([expected])
  })

  test('a job’s own keys replace whole values', () => {
    const include = [{ cache: { apt: true }, script: ['b'], install: [], before_script: null }]
    const shared = { cache: { pip: true }, script: ['a'], install: ['a'], before_script: ['a'] }
    expect(rows({ ...shared, jobs: { include } })).toEqual([
      { cache: { apt: true }, script: ['b'], install: [], before_script: ['a'] },
    ])
  })

  test('keys named like members of objects are ordinary keys', () => {
    const config = JSON.parse(
      '{"__proto__": [1], "jobs": {"include": [{"constructor": 2}]}}',
    ) as Config
    expect(JSON.stringify(rows(config))).toBe('[{"constructor":2,"__proto__":[1]}]')
  })
})

test('17.6: jobs inherit the first value of each axis, and of env if they have none', () => {
  const config = {
    os: ['linux', 'osx'],
    rvm: ['1'],
    env: { jobs: [{ A: '1' }, { A: '2' }] },
    jobs: { include: [{ os: 'osx', env: [{ B: '1' }] }, { rvm: '3' }] },
  }
  expect(rows(config).slice(4)).toEqual([
    { os: 'osx', rvm: '1', env: [{ B: '1' }] },
    { os: 'linux', rvm: '3', env: [{ A: '1' }] },
  ])
})

describe('17.7: env is a list with the global entries first', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['no env anywhere', undefined, undefined, undefined],
    ['only the env of the job', undefined, [{ B: '1' }], [{ B: '1' }]],
    ['an empty env of the job', undefined, [{}], []],
    ['the first of the matrix', { jobs: [{ A: '1' }, { A: '2' }] }, undefined, [{ A: '1' }]],
    [
      'the env of the job, and global entries',
      { global: [{ G: '1' }], jobs: [{ A: '1' }] },
      [{ B: '1' }],
      [{ G: '1' }, { B: '1' }],
    ],
    [
      'equal entries once',
      { global: [{ G: '1' }, { G: '1' }] },
      [{ B: '1' }, { G: '1' }, { B: '1' }],
      [{ G: '1' }, { B: '1' }],
    ],
    [
      'equal entries once, in any order of keys',
      { global: [{ G: '1', H: '1' }] },
      [{ H: '1', G: '1' }],
      [{ G: '1', H: '1' }],
    ],
    ['a single value', undefined, 'B=1', ['B=1']],
    ['a map', undefined, { B: '1' }, [{ B: '1' }]],
    ['without `global` in the env of a job', undefined, { global: ['B=1'], C: '1' }, [{ C: '1' }]],
    ['without `global` in an entry', { global: [{ G: '1' }] }, [{ global: 'B=1' }], [{ G: '1' }]],
    [
      'empty entries are dropped, global ones kept',
      { global: [{}] },
      [{}, { B: '' }],
      [{}, { B: '' }],
    ],
    ['only global entries', { global: [{ G: '1' }] }, undefined, [{ G: '1' }]],
    ['an empty env at the root', { global: [] }, undefined, []],
  ])('%s', (_, env, own, expected) => {
    const entry = { name: 'a', ...(own === undefined ? {} : { env: own }) }
    const root = env === undefined ? {} : { env }
    const [row] = rows({ ...root, jobs: { include: [entry] } }).slice(-1)
    expect(row).toEqual({ name: 'a', ...(expected === undefined ? {} : { env: expected }) })
  })
})

describe('17.8: a job that fits an entry of exclude is dropped', () => {
  const config = {
    language: 'ruby',
    rvm: ['1', '2'],
    env: { global: [{ G: '1' }], jobs: [{ A: '1' }, { A: '2', B: '1' }] },
    services: ['docker'],
    jobs: { include: [{ stage: 'Deploy', rvm: '3' }] },
  }
  const all = ['1 A', '1 AB', '2 A', '2 AB', '3 A']

  /** The version and the names of the own variables of each job that is left. */
  function left(exclude: unknown): string[] {
    return rows({ ...config, jobs: { ...config.jobs, exclude } }).map(({ rvm, env }) => {
      const names = (env as Config[]).slice(1).flatMap((entry) => Object.keys(entry))
      return `${String(rvm)} ${names.join('')}`
    })
  }

  test.each<[unknown, string[]]>([
    [[{ rvm: '1' }], ['2 A', '2 AB', '3 A']],
    [[{ rvm: ['1'] }], ['2 A', '2 AB', '3 A']],
    [[{ rvm: '1' }, { rvm: '2' }], ['3 A']],
    [[{ rvm: '1', language: 'ruby' }], ['2 A', '2 AB', '3 A']],
    [[{ rvm: '1', language: 'go' }], all],
    [[{ rvm: ['1', '2'] }], all],
    [[{ rvm: 1 }], all],
    [[{ services: 'docker', rvm: '3' }], ['1 A', '1 AB', '2 A', '2 AB']],
    [[{ jdk: '8' }], all],
    // Of the env only what is not global counts, and all of it.
    [[{ env: [{ A: '1' }] }], ['1 AB', '2 AB']],
    [[{ env: { B: '1', A: '2' } }], ['1 A', '2 A', '3 A']],
    [[{ env: [{ A: '2' }] }], all],
    [[{ env: [{ G: '1' }, { A: '1' }] }], all],
    [[{ rvm: '1', env: [{ A: '1' }] }], ['1 AB', '2 A', '2 AB', '3 A']],
    // A job without a stage is in the stage test.
    [[{ stage: 'test' }], ['3 A']],
    [[{ stage: 'TEST' }], ['3 A']],
    [[{ stage: 'Deploy' }], ['1 A', '1 AB', '2 A', '2 AB']],
    [[{ stage: 'deploy' }], all],
    // Nothing but a condition fits everything, nothing at all fits nothing.
    [[{ if: 'branch = x' }], []],
    [[{}], all],
    [['rvm', null, 3, true], all],
    [[], all],
    [{ rvm: '1' }, ['2 A', '2 AB', '3 A']],
  ])('%j', (exclude, expected) => {
    expect(left(exclude)).toEqual(expected)
  })
})

describe('17.9: keys that the language or os of a job does not support are removed', () => {
  test.each<[Config, Config[]]>([
    [
      { os: ['linux', 'osx'], osx_image: ['x'], arch: ['arm64'], dist: 'xenial' },
      [
        { os: 'linux', arch: 'arm64', dist: 'xenial' },
        { os: 'osx', osx_image: 'x' },
      ],
    ],
    [
      { language: 'python', python: ['3'], npm_args: 'a', bundler_args: 'b' },
      [{ language: 'python', python: '3' }],
    ],
    [
      {
        language: 'ruby',
        npm_args: 'a',
        jobs: { include: [{ language: 'node_js', node_js: '8', rvm: '2' }] },
      },
      [{ language: 'node_js', node_js: '8', npm_args: 'a' }],
    ],
    [
      {
        language: 'c',
        os: ['linux'],
        dist: 'bionic',
        jobs: { include: [{ os: 'windows', dist: 'server-2016' }, { dist: 'server-2016' }] },
      },
      [
        { language: 'c', os: 'windows', dist: 'server-2016' },
        { language: 'c', os: 'linux' },
      ],
    ],
    [
      { language: 'c', virtualenv: { system_site_packages: true }, gimme_config: { url: 'x' } },
      [{ language: 'c', virtualenv: { system_site_packages: true }, gimme_config: { url: 'x' } }],
    ],
    [{ language: 'objective-c', os: ['linux'] }, [{ language: 'objective-c' }]],
    [
      { language: 'unheard-of', rvm: ['1'], unknown: 'x' },
      [{ language: 'unheard-of', unknown: 'x' }],
    ],
    [
      { os: ['linux'], arch: ['unheard-of'], dist: 'unheard-of' },
      [{ os: 'linux', arch: 'unheard-of', dist: 'unheard-of' }],
    ],
  ])('%j', (config, expected) => {
    expect(rows(config)).toEqual(expected)
  })
})

describe('17.10: equal jobs are merged', () => {
  test.each<[string, Config, Config[]]>([
    ['of an axis', { rvm: ['1', '1', '2'] }, [{ rvm: '1' }, { rvm: '2' }]],
    [
      'included',
      { jobs: { include: [{ script: ['a'] }, { script: ['b'] }, { script: ['a'] }] } },
      [{ script: ['a'] }, { script: ['b'] }],
    ],
    [
      'in any order of keys',
      {
        jobs: {
          include: [
            { name: 'a', git: { depth: 1, quiet: true } },
            { git: { quiet: true, depth: 1 }, name: 'a' },
          ],
        },
      },
      [{ name: 'a', git: { depth: 1, quiet: true } }],
    ],
    [
      'if one has the keys that the other inherits',
      { script: ['a'], jobs: { include: [{ name: 'x' }, { name: 'x', script: ['a'] }] } },
      [{ script: ['a'], name: 'x' }],
    ],
    [
      'after unsupported keys are removed',
      { os: ['osx'], jobs: { include: [{ arch: 'arm64' }, { arch: 'amd64' }] } },
      [{ os: 'osx' }],
    ],
    [
      'but not if an unsupported key hides an inherited key',
      {
        dist: 'bionic',
        os: ['linux'],
        jobs: { include: [{ name: 'x' }, { name: 'x', dist: 'server-2016' }] },
      },
      [
        { os: 'linux', dist: 'bionic', name: 'x' },
        { os: 'linux', name: 'x' },
      ],
    ],
    [
      'but not a list and its only entry',
      { jobs: { include: [{ keys: ['a'] }, { keys: 'a' }] } },
      [{ keys: ['a'] }, { keys: 'a' }],
    ],
    [
      'nor a number and its digits',
      { jobs: { include: [{ _a: '1' }, { _a: 1 }] } },
      [{ _a: '1' }, { _a: 1 }],
    ],
    [
      'nor an empty env and no env',
      { jobs: { include: [{ name: 'a', env: [] }, { name: 'a' }] } },
      [{ name: 'a', env: [] }, { name: 'a' }],
    ],
    [
      'nor the same text elsewhere',
      { jobs: { include: [{ install: ['a'] }, { script: ['a'] }] } },
      [{ install: ['a'] }, { script: ['a'] }],
    ],
  ])('%s', (_, config, expected) => {
    expect(rows(config)).toEqual(expected)
  })
})

test('conditions are ignored', () => {
  const jobs = { include: [{ if: 'false' }], exclude: [{ rvm: '1', if: 'false' }] }
  expect(rows({ rvm: ['1', '2'], if: 'branch =', jobs })).toEqual([{ rvm: '2', if: 'branch =' }])
})
