import { describe, expect, test } from 'vitest'
import { read } from '../reading.ts'

describe('env', () => {
  test.each([
    ['env: A=1', { env: { jobs: [{ A: '1' }] } }, []],
    [
      'env: {A: 1, B: ~, C: {secure: YWJj}}',
      { env: { jobs: [{ A: '1', B: null, C: { secure: 'YWJj' } }] } },
      [],
    ],
    [
      "env:\n  - A=1 B=2\n  - C: 3\n    D: true\n  - secure: YWJj\n  -\n  - ''",
      { env: { jobs: [{ A: '1', B: '2' }, { C: '3', D: 'true' }, { secure: 'YWJj' }, {}, {}] } },
      [],
    ],
    ['env: [[A=1], [B=2]]', { env: { jobs: [{ A: '1' }, { B: '2' }] } }, []],
    ['env:\n  global: A=1\n  B: 2', { env: { jobs: [{ B: '2' }], global: [{ A: '1' }] } }, []],
    [
      'env:\n  global: A=1\n  matrix: [B=1, B=2]',
      { env: { global: [{ A: '1' }], jobs: [{ B: '1' }, { B: '2' }] } },
      ['info env alias_key {"alias":"matrix","key":"jobs"} :2'],
    ],
    [
      'jobs: {include: [{env: A=1}, {env: {global: A=1}}, {env: }]}',
      { jobs: { include: [{ env: [{ A: '1' }] }, { env: [{ global: 'A=1' }] }, { env: [{}] }] } },
      [],
    ],
  ])('is a list of maps: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an invalid env', () => {
  test.each([
    [
      'env: 3',
      { env: 3 },
      ['error env invalid_type {"expected":"map","actual":"num","value":3} :0'],
    ],
    [
      'env: {A: {b: c}}',
      { env: { jobs: [{ A: { b: 'c' } }] } },
      ['error env.jobs.A invalid_type {"expected":"str","actual":"map","value":{"b":"c"}} :0'],
    ],
    [
      'env: {A: [b, c]}',
      { env: { jobs: [{ A: 'b' }] } },
      ['warn env.jobs.A unexpected_seq {"value":"b"} :0'],
    ],
    [
      'env:\n  global: A="x',
      { env: { global: [{}] } },
      ['error env.global invalid_env_var {"var":"A=\\"x"} :1'],
    ],
    [
      'env: {globals: A=1}',
      { env: { global: [{ A: '1' }] } },
      ['warn env find_key {"original":"globals","key":"global"} :0'],
    ],
  ])('is reported: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

describe('an env without variables', () => {
  test.each([
    ['env: ~', {}, []],
    ["env: ''", {}, []],
    ['env: []', {}, []],
    ['env: {}', {}, []],
  ])('is left out: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})
