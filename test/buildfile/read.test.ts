import { describe, expect, test } from 'vitest'
import { readBuildFile } from '../../src/buildfile/read.ts'

test.each([
  ['', {}],
  ['# only a comment', {}],
  ['~', {}],
  ['false', {}],
  ['script: make', { script: 'make' }],
  ['script:\n  - make\n  - make test', { script: ['make', 'make test'] }],
  ['a: 3.10\nb: 010\nc: 18\nd: -1\ne: 1e3', { a: '3.10', b: '010', c: 18, d: -1, e: '1e3' }],
  ['a: 12345678901234567890', { a: '12345678901234567890' }],
  ['a: true\nb: False\nc: yes\nd: off', { a: true, b: false, c: 'yes', d: 'off' }],
  ['a:\nb: ~\nc: null\nd: ""', { a: null, b: null, c: null, d: '' }],
  ['a: "1"\nb: \'true\'\nc: !!str 5', { a: '1', b: 'true', c: '5' }],
  ['on: x\ntrue: y\n1.10: z\n:os: linux', { on: 'x', true: 'y', '1.10': 'z', os: 'linux' }],
  ['a: |\n  x\n  y\n', { a: 'x\ny\n' }],
  ['a: 1\na: 2', { a: 2 }],
  ['a: &x [1]\nb: *x\nc: *unknown', { a: [1], b: [1], c: null }],
  ['a: &x [*x]', { a: [null] }],
  ['a: &x 1\nb: &x 2\nc: *x', { a: 1, b: 2, c: 2 }],
  ['a: 0\n<<: {a: 1, b: 1}\nb: 2', { a: 1, b: 2 }],
  [
    'x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz:\n  <<: [*x, *y]',
    expect.objectContaining({ z: { a: 1, b: 2 } }),
  ],
  ['<<: text', { '<<': 'text' }],
  ['\uFEFFa: 1', { a: 1 }],
  ['  a:\n    b: 1\n  c: 2', { a: { b: 1 }, c: 2 }],
  ['\u00A0 a: 1\n\u00A0 b: 2', { a: 1, b: 2 }],
  ['\n\n  a: 1\nb: 2', { a: 1, b: 2 }],
  ['a: 1\r\nb:\r\n  - x\r\n', { a: 1, b: ['x'] }],
  ['a: 1\n---\nb: [', { a: 1 }],
  ['a: "x\\0y\\uD800z"', { a: 'xy\uFFFDz' }],
  ['%YAML 1.1\n---\na: yes\nb: 010', { a: 'yes', b: '010' }],
])('%j holds %j', (text, config) => {
  const file = readBuildFile(text)
  expect(file.error).toBeNull()
  expect(file.config).toEqual(config)
})

test('a key named __proto__ is a key like any other', () => {
  const { config } = readBuildFile('__proto__: {polluted: true}\na: {__proto__: 1}')
  expect(Object.keys(config)).toEqual(['__proto__', 'a'])
  expect(Object.hasOwn({}, 'polluted')).toBe(false)
})

describe('what cannot be read is told with its place', () => {
  test.each([
    ['a: "open', 'parse_error', 1, 9],
    ['a: 1\nb: [1, 2', 'parse_error', 2, 9],
    ['a: b: c', 'parse_error', 1, 4],
    ['script:\n\t- make', 'parse_error', 2, 1],
    ['{{ foo }}: 1', 'parse_error', 1, 1],
    ['a: 1\n? [x]\n: 2', 'parse_error', 2, 3],
    ['  a: 1\n  b: "x', 'parse_error', 2, 8],
    ['- a', 'format_error', 1, 1],
    ['text', 'format_error', 1, 1],
    ['true', 'format_error', 1, 1],
  ])('%j: %s at %i:%i', (text, code, line, column) => {
    const { config, findings, error } = readBuildFile(text)
    expect({ config, findings }).toEqual({ config: {}, findings: [] })
    expect(error).toEqual({
      level: 'error',
      key: [],
      code,
      args: {},
      text: expect.stringMatching(/\w/),
      line,
      column,
    })
  })
})

const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

describe('what would exhaust the machine is refused', () => {
  test.each([
    ['brackets', '['.repeat(1_000_000)],
    ['braces', '{a: '.repeat(200_000)],
    ['dashes', '- '.repeat(500_000)],
    ['questions', '? '.repeat(200_000)],
    ['indentation', many(2000, (index) => `${' '.repeat(index)}k:`)],
    ['aliases within aliases', many(40, (i) => `a${i}: &a${i} [${i && `*a${i - 1}, *a${i - 1}`}]`)],
    ['a long chain of aliases', many(2000, (i) => `a${i}: &a${i} [${i && `*a${i - 1}`}]`)],
    ['merged maps', many(300, (i) => `a${i}: &a${i} {x${i}: 1, <<: ${i && `*a${i - 1}`}}`)],
    ['very many keys', many(200_000, (index) => `k${index}: 1`)],
    ['very many mistakes', '"'.repeat(1_000_000)],
  ])('%s', (_, text) => {
    expect(readBuildFile(text).error).toMatchObject({ code: 'parse_error' })
  })
})

test('nesting that people write is fine', () => {
  expect(readBuildFile(`a: ${'['.repeat(90)}${']'.repeat(90)}`).error).toBeNull()
  expect(readBuildFile(many(2000, (index) => `k${index}: [a, b]`)).error).toBeNull()
})

describe('findings', () => {
  test.each([
    ['script: make', []],
    ['_shared: 1\n.hidden: 2', []],
    ['a: &a {script: x}\n<<: *a', ['1:1 unknown key "a"']],
    ['scirpt: make', ['1:1 unknown key "scirpt", did you mean "script"?']],
    ['language: c\n\nenviroment: x', ['3:1 unknown key "enviroment"']],
    [
      'before_instal: x\n"brnaches": y',
      [
        '1:1 unknown key "before_instal", did you mean "before_install"?',
        '2:1 unknown key "brnaches", did you mean "branches"?',
      ],
    ],
    ['  script: x\n  banana: y', ['2:3 unknown key "banana"']],
    ['{script: x, xy: y}', ['1:13 unknown key "xy"']],
    ['script: a\nscript: b', ['2:1 the key "script" is given twice; the last one counts']],
  ])('%j: %j', (text, expected) => {
    const shown = readBuildFile(text).findings.map(
      ({ line, column, text }) => `${line}:${column} ${text}`,
    )
    expect(shown).toEqual(expected)
  })

  test('are complete', () => {
    expect(readBuildFile('scirpt: x\nos: a\nos: b').findings).toEqual([
      {
        level: 'warn',
        key: [],
        code: 'unknown_key',
        args: { key: 'scirpt', meant: 'script' },
        text: 'unknown key "scirpt", did you mean "script"?',
        line: 1,
        column: 1,
      },
      {
        level: 'error',
        key: [],
        code: 'duplicate_key',
        args: { key: 'os' },
        text: 'the key "os" is given twice; the last one counts',
        line: 3,
        column: 1,
      },
    ])
  })
})

test('the line of an entry can be asked for', () => {
  const { lineOf } = readBuildFile('\nscript: x\nenv:\n  jobs:\n    - A=1\n    - A=2\nall: *x\n')
  expect(lineOf(['env', 'jobs', 1])).toBe(6)
  expect(lineOf(['env', 'jobs', 2])).toBeNull()
  expect(lineOf(['script', 0])).toBeNull()
  expect(lineOf(['all', 'x'])).toBeNull()
})
