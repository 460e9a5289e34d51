import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { presentBuildConfig, presentJobConfig } from '../../src/domain/config/shown-config.ts'

const secure = { secure: 'c2VhbGVk' }

describe('the env of a build is one string for each row of the matrix:', () => {
  test.each<[unknown, object]>([
    [['A=1 B=2', 'A=3'], { env: ['A=1 B=2', 'A=3'] }],
    ['A=1', { env: ['A=1'] }],
    [{ A: 1, B: 'two', C: true, D: null }, { env: ['A=1 B=two C=true D='] }],
    [[{ A: 1, B: 2 }, 'A=3'], { env: ['A=1 B=2', 'A=3'] }],
    [[['A=1', { B: 2 }], 'A=3'], { env: ['A=1 B=2', 'A=3'] }],
    [['A=1', secure], { env: ['A=1', '[secure]'] }],
    [[{ A: secure, B: 1 }], { env: ['A=[secure] B=1'] }],
    [secure, { env: ['[secure]'] }],
    [{ global: ['A=1', secure] }, { env: ['A=1 [secure]'] }],
    [
      { global: [{ G: secure }], jobs: ['A=1', 'A=2'] },
      { env: ['A=1', 'A=2'], global_env: 'G=[secure]' },
    ],
    [{ jobs: ['A=1'] }, { env: ['A=1'] }],
    [{ matrix: ['A=1'] }, { env: ['A=1'] }],
    [
      { FOO: 'bar', jobs: ['A=1'] },
      { env: ['A=1'], global_env: 'FOO=bar' },
    ],
    [[], { env: [] }],
    [{}, { env: [] }],
    [{ global: [] }, { env: [] }],
    [null, { env: null }],
    [undefined, {}],
  ])('%j', (env, shown) => {
    expect(presentBuildConfig(env === undefined ? {} : { env })).toEqual(shown)
  })

  test.each<[object, object]>([
    [{ global_env: ['A=1', secure] }, { global_env: 'A=1 [secure]' }],
    [
      { global_env: 'A=1', env: ['B=2', 'B=3'] },
      { env: ['B=2', 'B=3'], global_env: 'A=1' },
    ],
    [
      { global_env: 'A=1', env: { global: ['B=2'], jobs: ['C=3'] } },
      { env: ['C=3'], global_env: 'A=1 B=2' },
    ],
  ])('with the older key: %j', (config, shown) => {
    expect(presentBuildConfig({ ...config })).toEqual(shown)
  })
})

describe('the env of a job is one string:', () => {
  test.each<[unknown, string | null, string | null]>([
    // the config's env, the shown env, the env shown for a fork
    [['A=1', 'B=2'], 'A=1 B=2', 'A=1 B=2'],
    ['A=1', 'A=1', 'A=1'],
    [['A=1', secure], 'A=1 [secure]', 'A=1'],
    [[{ A: secure, B: 2 }], 'A=[secure] B=2', 'B=2'],
    [[{ A: secure }, 'B=2'], 'A=[secure] B=2', 'B=2'],
    [[[{ A: secure }], ['B=2']], 'A=[secure] B=2', 'B=2'],
    [secure, '[secure]', null],
    [[], null, null],
    [null, null, null],
    [[null, ''], null, null],
    [[{ A: [1, { b: secure }] }], 'A=[1,{"b":"[secure]"}]', 'A=[1,{"b":"[secure]"}]'],
  ])('%j', (env, shown, shownForFork) => {
    expect(presentJobConfig({ env, global_env: env }, false)).toEqual({
      env: shown,
      global_env: shown,
    })
    expect(presentJobConfig({ env }, true)).toEqual({ env: shownForFork })
  })

  test('and is missing if the job has none', () => {
    expect(presentJobConfig({ language: 'ruby' }, false)).toEqual({ language: 'ruby' })
  })
})

test('a build shows everything else, except secrets and keys', () => {
  const config = {
    language: 'ruby',
    source_key: 'c3No',
    deploy: { provider: 'heroku', api_key: secure, on: { source_key: 'c3No', tags: true } },
    notifications: { slack: { rooms: [secure, 'general'] }, email: secure },
    addons: { sauce_connect: { access_key: secure } },
    jobs: { include: [{ env: secure }] },
  }
  expect(presentBuildConfig(config)).toEqual({
    language: 'ruby',
    deploy: { provider: 'heroku', api_key: '[secure]', on: { tags: true } },
    notifications: { slack: { rooms: ['[secure]', 'general'] }, email: '[secure]' },
    addons: { sauce_connect: { access_key: '[secure]' } },
    jobs: { include: [{ env: '[secure]' }] },
  })
})

test('a job shows neither its deployments nor add-ons that could hold secrets', () => {
  const config = {
    language: 'ruby',
    deploy: { provider: 'heroku' },
    addons: {
      apt: { packages: ['curl'] },
      apt_packages: ['a'],
      apt_sources: ['b'],
      chrome: 'stable',
      firefox: '120.0',
      hosts: ['x'],
      mariadb: '10',
      postgresql: '16',
      ssh_known_hosts: [secure],
      sauce_connect: { username: 'octavia' },
      code_climate: secure,
    },
  }
  expect(presentJobConfig(config, false)).toEqual({
    language: 'ruby',
    addons: {
      apt: { packages: ['curl'] },
      apt_packages: ['a'],
      apt_sources: ['b'],
      chrome: 'stable',
      firefox: '120.0',
      hosts: ['x'],
      mariadb: '10',
      postgresql: '16',
      ssh_known_hosts: ['[secure]'],
    },
  })
})

test.each([[['sauce_connect']], ['apt'], [null], [true]])(
  'add-ons of a job that are not a mapping (%j) are not shown',
  (addons) => {
    expect(presentJobConfig({ addons }, false)).toEqual({})
  },
)

describe('any configuration', () => {
  const marked = fc.uuid().map((id) => `sealed ${id}`)
  const sealed = marked.map((secure) => ({ secure }))
  const key = fc.constantFrom('env', 'global', 'jobs', 'matrix', 'addons', 'apt', 'A', 'a b', 'b')
  const config = fc.letrec<{ value: unknown; map: Record<string, unknown> }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom<unknown>(null, true, 7, 'A=1', 'plain'),
      sealed,
      fc.record({ secure: marked, beside: fc.constant('x') }),
      fc.record({ source_key: marked }),
      fc.array(tie('value'), { maxLength: 4 }),
      tie('map'),
    ),
    map: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  })).map

  test('is shown without secrets and keys', () => {
    fc.assert(
      fc.property(config, fc.boolean(), (given, fromFork) => {
        const shown = [presentBuildConfig(given), presentJobConfig(given, fromFork)]
        expect(JSON.stringify(shown)).not.toContain('sealed')
        expect(JSON.stringify(shown)).not.toContain('source_key')
      }),
      { numRuns: 2000 },
    )
  })

  test('is not modified', () => {
    fc.assert(
      fc.property(config, (given) => {
        const before = structuredClone(given)
        presentBuildConfig(given)
        presentJobConfig(given, true)
        expect(given).toEqual(before)
      }),
    )
  })
})
