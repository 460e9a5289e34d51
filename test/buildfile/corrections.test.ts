import { describe, expect, test } from 'vitest'
import { holds } from '../../src/buildfile/conditions/evaluate.ts'
import { expandMatrix } from '../../src/buildfile/expand/expand-matrix.ts'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'
import { read } from './reading.ts'

/** What no job is told apart by here. */
function rowsOf(text: string) {
  const { rows } = expandMatrix(readBuildFile(text).config)
  return rows.map(({ language: _language, os: _os, dist: _dist, ...row }) => row)
}

describe('a list in a list', () => {
  test.each([
    ['script: [[[make], make test], make lint]', { script: ['make', 'make test', 'make lint'] }],
    ['env: [[[[A=1]], B=2]]', { env: { jobs: [{ A: '1' }, { B: '2' }] } }],
    ['stages: [[[lint]], {name: test}]', { stages: [{ name: 'lint' }, { name: 'test' }] }],
    ['services: [[[redis]], docker]', { services: ['redis', 'docker'] }],
    ['branches: {only: [[[main], dev]]}', { branches: { only: ['main', 'dev'] } }],
    ['deploy: [[[{provider: npm}]]]', { deploy: [{ provider: 'npm' }] }],
    ['cache: {directories: [[[a], b], c]}', { cache: { directories: ['a', 'b', 'c'] } }],
  ])('is flattened: %s', (text, config) => {
    expect(read(text)).toEqual({ config, said: [] })
  })

  test('removes the lines of its entries’ keys', () => {
    const text = `jobs:
  include:
    - - script: make
        foo: 1
        addons:
          foo: 2
    - script: make test
      foo: 1`
    expect(read(text).said).toEqual([
      'warn jobs.include.addons unknown_key {"key":"foo","value":2}',
      'warn jobs.include unknown_key {"key":"foo","value":1} :1',
    ])
  })
})

describe('an env', () => {
  test.each([
    ['env: [""]', [{ env: [{}] }]],
    [`env: ["B='x"]`, [{ env: [{}] }]],
    ['env: {global: [A=1], jobs: }', [{ env: [{ A: '1' }, {}] }]],
    ['env: {jobs: []}', [{}]],
  ])('has an empty row for an entry that became an empty map: %s', (text, rows) => {
    expect(rowsOf(text)).toEqual(rows)
  })

  test.each([
    ['env: false', [{ env: false }]],
    [
      'jobs: {include: [{env: [A=1, A=1]}, {env: [B=1]}]}',
      [{ env: [{ A: '1' }, { A: '1' }] }, { env: [{ B: '1' }] }],
    ],
    [
      'env: {global: [B=1]}\njobs: {include: [{env: [A=1, A=1]}]}',
      [{ env: [{ B: '1' }, { A: '1' }] }],
    ],
  ])('is kept as it is if the root has none: %s', (text, rows) => {
    expect(rowsOf(text)).toEqual(rows)
  })

  test.each([
    ['env: {global: [B=2], jobs: [C=3]}', [{ B: '2' }, { C: '3' }]],
    ['env: {jobs: [C=3]}', ['A=1', { C: '3' }]],
    ['env: [B=2]', ['A=1', { B: '2' }]],
    ['jobs: {include: [{env: B=2}]}', ['A=1', { B: '2' }]],
    ['', ['A=1']],
  ])('gets the entries of `global_env` unless it has global entries: %s', (text, env) => {
    expect(rowsOf(`global_env: [A=1]\n${text}`)).toEqual([{ env }])
  })

  test.each([
    ['env: [B=2, 7]', 'B=2'],
    ['env: [B=2, [true]]', 'B=2'],
  ])('is a single string if its list has an entry that is not a string: %s', (text, value) => {
    expect(read(text)).toEqual({
      config: { env: value },
      said: [
        `warn env unexpected_seq {"value":"${value}"} :0`,
        `error env invalid_type {"expected":"map","actual":"str","value":"${value}"} :0`,
      ],
    })
  })

  test('has an empty map for a false in a list', () => {
    expect(read('env: {global: [false, B=2]}')).toEqual({
      config: { env: { global: [{}, { B: '2' }] } },
      said: [],
    })
  })

  test('keeps a no-break space as part of a name', () => {
    expect(read('env: "\u00a0B=2"').config).toEqual({ env: { jobs: [{ '\u00a0B': '2' }] } })
  })

  test.each([String.raw`MESSAGE="\tit's"`, String.raw`P="C:\\" Q=2`, 'MESSAGE="a\\b `date"'])(
    'reads quotes after an escape in double quotes as if there were no quotes: %s',
    (definitions) => {
      const told = { var: definitions }
      expect(read(`env:\n  - ${definitions}`).said).toEqual([
        `error env.jobs invalid_env_var ${JSON.stringify(told)}`,
      ])
    },
  )

  test.each([
    [String.raw`P="a\tb c" Q=2`, { P: String.raw`"a\tb c"`, Q: '2' }],
    [String.raw`P="say \"it's\"" Q=2`, { P: String.raw`"say \"it's\""`, Q: '2' }],
    [String.raw`P="a\t'b'" Q=2`, { P: String.raw`"a\t'b'"`, Q: '2' }],
  ])('can have escapes in double quotes: %s', (definitions, map) => {
    expect(read(`env:\n  - ${definitions}`)).toEqual({ config: { env: { jobs: [map] } }, said: [] })
  })
})

describe('a corrected key', () => {
  test.each([
    [
      `env: {matrix: ["B='x"]}`,
      [
        'info env alias_key {"alias":"matrix","key":"jobs"} :0',
        `error env.jobs.matrix invalid_env_var {"var":"B='x"} :0`,
      ],
    ],
    [
      'servces: [redis-server]',
      [
        'warn find_key {"original":"servces","key":"services"} :0',
        'info services.servces alias_value {"alias":"redis-server","value":"redis"} :0',
      ],
    ],
    [
      'servces: redis-server',
      [
        'warn find_key {"original":"servces","key":"services"} :0',
        'info services alias_value {"alias":"redis-server","value":"redis"} :0',
      ],
    ],
  ])('is still in the path of the entries of its list: %s', (text, said) => {
    expect(read(text).said).toEqual(said)
  })

  test('has no line if the correct name is a known key anyway', () => {
    expect(read('Os: amiga').said).toEqual([
      'info underscore_key {"original":"Os","key":"os"} :0',
      'error os unknown_value {"value":"amiga"}',
    ])
  })

  test('takes the place and the line of the correct key next to it', () => {
    const { config, said } = read('service: [amiga]\nscript: make\nservices: [redis]')
    expect(Object.keys(config)).toEqual(['script', 'services'])
    expect(config).toEqual({ script: ['make'], services: ['amiga'] })
    expect(said).toEqual([
      'warn find_key {"original":"service","key":"services"} :0',
      'error services unknown_value {"value":"amiga"} :2',
    ])
  })

  test.each([
    [
      'Matrix: {fast_finish: true}',
      { jobs: { fast_finish: true } },
      [
        'warn find_key {"original":"Matrix","key":"matrix"} :0',
        'info alias_key {"alias":"matrix","key":"jobs"} :0',
      ],
    ],
    ['RBENV: 3.2', { RBENV: '3.2' }, ['warn unknown_key {"key":"RBENV","value":"3.2"} :0']],
    [
      'Script: make',
      { script: ['make'] },
      ['info underscore_key {"original":"Script","key":"script"} :0'],
    ],
  ])('in another case is corrected as a key, but not as an alias: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

test('false under a key of another language is kept in jobs, other values are not', () => {
  const keys = { virtualenv: false, latex: false, warnings_are_errors: false }
  const text = `language: ruby\n${JSON.stringify(keys).slice(1, -1).replaceAll(/[",]/g, '\n')}`
  expect(rowsOf('language: ruby\nlatex: true\nwith_content_shell: true')).toEqual([{}])
  expect(rowsOf(text.replaceAll(/\n+:/g, ': '))).toEqual([keys])
  expect(rowsOf('language: ruby\njobs: {include: [{latex: false}]}')).toEqual([{ latex: false }])
})

test('messages of an abandoned reading are kept', () => {
  expect(read('jobs: {env: {global: [B=1, C=2]}}').said).toEqual([
    'warn jobs.include.env.global unexpected_seq {"value":"B=1"} :0',
    'warn jobs unknown_key {"key":"env","value":{"global":["B=1","C=2"]}} :0',
  ])
})

test.each(['install:\n#make\n  make deps', 'install:\n #make\n  make deps'])(
  'a comment needs no space after its #, left of the following value: %j',
  (text) => {
    expect(read(text)).toEqual({ config: { install: ['make deps'] }, said: [] })
  },
)

describe('a string under cache', () => {
  test('is a directory in a list, unless it is exactly a known name', () => {
    expect(read('cache: [bundle, pip, yran]')).toEqual({
      config: { cache: { directories: ['bundle', 'yran'], pip: true } },
      said: [],
    })
  })

  test('is corrected if it is not in a list', () => {
    expect(read('cache: yran')).toEqual({
      config: { cache: { yarn: true } },
      said: ['info cache find_value {"original":"yran","value":"yarn"} :0'],
    })
  })
})

describe('a regular expression between slashes', () => {
  test('ends at a slash without a backslash directly before it', () => {
    const text = String.raw`branch =~ /main\\/x/`
    expect(read(`if: '${text}'`).said).toEqual([])
    expect(holds(text, { branch: String.raw`main\/x` })).toBe(true)
  })

  test.each([String.raw`branch =~ /main\/`, 'branch =~ /main'])('must have an end: %s', (text) => {
    expect(read(`if: ${text}`).said).toEqual([
      `error if invalid_condition ${JSON.stringify({ condition: text, message: null })} :0`,
    ])
  })
})

describe('a list instead of a map', () => {
  test.each([
    [
      'addons: [{hostnme: x}]',
      { addons: { hostnme: 'x' } },
      [
        'warn addons find_key {"original":"hostnme","key":"hostname"} :0',
        'warn addons unexpected_seq {"value":{"hostnme":"x"}} :0',
        'warn addons unknown_key {"key":"hostnme","value":"x"} :0',
      ],
    ],
    [
      'deploy: {provider: npm, on: [main]}',
      { deploy: [{ provider: 'npm', on: 'main' }] },
      [
        'warn deploy.on unexpected_seq {"value":"main"} :0',
        'error deploy.on invalid_type {"expected":"map","actual":"str","value":"main"} :0',
      ],
    ],
  ])('is replaced by its first entry, without corrections: %s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })
})

test('shared keys of notifications are also corrected in each section', () => {
  const text = 'notifications:\n  email: {recipients: a@example.com}\n  on_success: changed'
  expect(read(text)).toEqual({
    config: { notifications: { email: [{ recipients: ['a@example.com'], on_success: 'change' }] } },
    said: [
      'info notifications.on_success alias_value {"alias":"changed","value":"change"} :2',
      'info notifications.email.on_success alias_value {"alias":"changed","value":"change"} :2',
    ],
  })
})

test('duplicate keys are reported in their order in the file, except for merged keys', () => {
  const text = `_base: &base
  depth: 1
  quiet: true
git:
  <<: *base
  quiet: false
  depth: 2
  depth: 3
  quiet: true`
  expect(read(text).said).toEqual([
    'error git duplicate_key {"key":"quiet"} :3',
    'error git duplicate_key {"key":"depth"} :3',
  ])
})

test('only the first line of a value with line breaks is read', () => {
  expect(read('os: "amiga\\nlinux"')).toEqual({
    config: { os: ['amiga'] },
    said: [
      'warn os clean_value {"original":"amiga\\nlinux","value":"amiga"} :0',
      'error os unknown_value {"value":"amiga"} :0',
    ],
  })
  expect(read('git: {quiet: "false\\n\\n- x"}').config).toEqual({ git: { quiet: false } })
})

test('an empty list under a deprecated key is also reported', () => {
  expect(read('sudo: []').said).toEqual([
    'warn deprecated_key {"key":"sudo","info":"has no effect any more"} :0',
  ])
})

describe('more tolerant than the original service:', () => {
  test('a list of versions that starts with null keeps its other entries', () => {
    expect(read('node_js: [~, 8]')).toEqual({ config: { node_js: ['8'] }, said: [] })
  })

  test('a line with only a tab ends a plain scalar', () => {
    expect(read('script: make\n\t\ninstall: deps\n\t# c\nlanguage: c').config).toEqual({
      script: ['make'],
      install: ['deps'],
      language: 'c',
    })
  })
})
