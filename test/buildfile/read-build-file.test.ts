import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'
import { readCorpus } from '../support/corpus.ts'
import { sample } from './sample.ts'

test('an empty file gets its defaults', () => {
  const { config, messages, error } = readBuildFile('')
  expect({ config, messages, error }).toEqual({
    config: { language: 'ruby', os: ['linux'], dist: 'focal' },
    messages: [
      { level: 'info', key: [], code: 'default', args: { key: 'language', default: 'ruby' } },
      { level: 'info', key: [], code: 'default', args: { key: 'os', default: 'linux' } },
      { level: 'info', key: [], code: 'default', args: { key: 'dist', default: 'focal' } },
    ],
    error: null,
  })
})

test.each([
  ['os: osx', { language: 'objective-c', os: ['osx'] }],
  ['os: [osx, linux]', { language: 'ruby', os: ['osx', 'linux'], dist: 'focal' }],
  ['language: swift', { language: 'objective-c', os: ['osx'] }],
  ['language: swift\nos: windows', { language: 'objective-c', os: ['windows'] }],
  ['os: linux-ppc64le', { language: 'ruby', os: ['linux-ppc64le'], dist: 'focal' }],
  ['os: freebsd', { language: 'ruby', os: ['freebsd'] }],
])('defaults depend on each other: %s', (text, config) => {
  expect(readBuildFile(text).config).toEqual(config)
})

test('a default has the line of its key if that has no value', () => {
  const { messages } = readBuildFile('script: make\ndist:\nos: ~')
  expect(messages.map(({ args, line }) => [args?.key, line])).toEqual([
    ['language', undefined],
    ['os', 2],
    ['dist', 1],
  ])
})

test('the error in an unreadable file has a position that counts from 1', () => {
  const { config, messages, positions, root, error } = readBuildFile('\n\n  script: make\n  - b\n')
  expect({ config, messages, root, error, position: positions(['script']) }).toEqual({
    config: {},
    messages: [],
    root: null,
    error: {
      kind: 'parse',
      message: 'An entry that starts with "- " is in the column of the keys.',
      hint: 'Indent the entry below the key it belongs to, or give it a key.',
      at: 13,
      line: 4,
      column: 3,
    },
    position: undefined,
  })
  expect(readBuildFile('\n  - a').error).toMatchObject({ kind: 'format', line: 2, column: 3 })
})

test('keys can be named like members of objects', () => {
  const text = '__proto__: {polluted: true}\nenv: {__proto__: 1, constructor: 2, toString: 3}'
  const { config } = readBuildFile(text)
  expect(JSON.stringify(config)).toBe(
    '{"language":"ruby","os":["linux"],"dist":"focal","__proto__":{"polluted":true},' +
      '"env":{"jobs":[{"__proto__":"1","constructor":"2","toString":"3"}]}}',
  )
  expect(Object.getPrototypeOf(config)).toBe(Object.prototype)
})

test('a repeated message is listed once', () => {
  const { messages } = readBuildFile('jobs: {include: [{foo: 1}, {foo: 1}, {foo: 2}]}')
  expect(messages.filter(({ code }) => code === 'unknown_key').map(({ args }) => args)).toEqual([
    { key: 'foo', value: 1 },
    { key: 'foo', value: 2 },
  ])
})

describe('a huge file', () => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n')
  const megabyte = 2 ** 20

  test('with 2,000 unknown keys is reported, with a note that there are more', () => {
    const { messages } = readBuildFile(lines(10_000, (index) => `scrip${index}: x`))
    expect(messages.filter(({ code }) => code === 'unknown_key')).toHaveLength(2000)
    expect(messages.filter(({ code }) => code === 'more_alike')).toEqual([
      { level: 'warn', code: 'more_alike', key: [], args: { code: 'unknown_key', count: 2000 } },
    ])
  })

  test.each([
    ['a key of a megabyte', `${'Ab_'.repeat(megabyte / 3)}x: 1`, 'unknown_key'],
    ['a key of underscores', `x${'_'.repeat(megabyte)}x: 1`, 'unknown_key'],
    ['a value of a megabyte', `language: ${'a'.repeat(megabyte)}`, 'unknown_value'],
    ['a number of a megabyte', `git: {depth: '${'1'.repeat(megabyte)}x'}`, 'invalid_type'],
    ['a template', `import: '${'%{'.repeat(megabyte / 2)}x}'`, 'unknown_var'],
    ['definitions', `env: 'A="${'$('.repeat(megabyte / 2)}'`, 'invalid_env_var'],
    ['lists in lists', `language: ${'['.repeat(180)}a${']'.repeat(180)}`, 'invalid_type'],
    [
      'lists of deep mails',
      `notifications: ${'['.repeat(180)}{a: b}${']'.repeat(180)}`,
      'invalid_type',
    ],
  ])('with %s is read', (_what, text, code) => {
    const { messages, error } = readBuildFile(text)
    expect(error).toBeNull()
    expect(messages.map((message) => message.code)).toContain(code)
  })

  test('with names that match many machines leads to a hundred reports', () => {
    const machine = (index: number) => `  - vm: {create: {name: a${index % 150}}}`
    const { messages } = readBuildFile(`jobs:\n  include:\n${lines(300, machine)}`)
    const told = messages.filter(({ code }) => code === 'duplicate')
    expect(told).toHaveLength(150)
    expect(told.at(-1)?.args?.values).toHaveLength(100)
  })
})

const words = fc.constantFrom(
  ...['language', 'os', 'env', 'matrix', 'jobs', 'include', 'deploy', 'provider', 'npm', 'script'],
  ...['notifications', 'slack', 'secure', 'YWJj', 'cache', 'addons', 'apt', 'if', 'A=1', 'true'],
  ...[
    'scirpt',
    'before-script',
    ' rvm ',
    '__x__',
    '',
    '%{x}',
    '$A',
    'on',
    'vault',
    'git',
    '__proto__',
  ],
)
const value = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    words,
    fc.constantFrom(null, true, false, 0, 1, 'x'),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(words, tie('node'), { maxKeys: 4 }),
  ),
})).node

const samples = [
  'language: ruby\nrvm:\n  - 2.3\nenv: {global: [A=1], B: c}\nnotifications: {email: false}\n',
  ...[...sample, ...readCorpus<{ yaml: string }>('configs')].map(({ yaml }) => yaml.slice(0, 1500)),
]
const mutated = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(1500), fc.nat(4), fc.oneof(words, fc.string({ maxLength: 3 }))), {
      maxLength: 4,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((old, [at, gone, come]) => old.slice(0, at) + come + old.slice(at + gone), text),
  )

describe('any file', () => {
  test.each([
    ['a file of known words', fc.dictionary(words, value).map((map) => JSON.stringify(map))],
    ['a file with random changes', mutated],
  ])('%s is read with the same result each time, and without repeated messages', (_what, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { config, messages, error, prepared } = readBuildFile(text)
        const again = readBuildFile(text)
        expect({ ...again, prepared: null, positions: null }).toEqual({
          config,
          messages,
          error,
          root: again.root,
          prepared: null,
          positions: null,
        })
        const told = messages.map(({ at: _at, ...message }) => JSON.stringify(message))
        expect(new Set(told).size).toBe(told.length)
        for (const { at } of messages) {
          expect(!at || (at.start <= at.end && at.end <= prepared.text.length)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})
