import { describe, expect, test } from 'vitest'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'
import { read } from './reading.ts'

describe('like the original service:', () => {
  test.each([
    [
      'notifications: {hipchat: {secure: }}',
      { notifications: { hipchat: [] } },
      ['warn notifications.hipchat.secure empty {"key":"notifications.hipchat.secure"} :0'],
    ],
    [
      'notifications: {slack: [{secure: ~}, a], email: {secure: 1}}',
      { notifications: { slack: [{ rooms: ['a'] }], email: [] } },
      [
        'warn notifications.slack.secure empty {"key":"notifications.slack.secure"} :0',
        'alert notifications.slack.rooms secure {"type":"str"}',
        'warn notifications.email.secure empty {"key":"notifications.email.secure"} :0',
      ],
    ],
    [
      'branche: main',
      { branches: { only: ['main'] } },
      ['warn find_key {"original":"branche","key":"branches"} :0'],
    ],
    [
      'deploy: {provider: npm, on: {branche: main}}',
      { deploy: [{ provider: 'npm', on: { branch: ['main'] } }] },
      ['warn deploy.on find_key {"original":"branche","key":"branch"} :0'],
    ],
    ['notifications: {on_failure: [always]}', {}, []],
    [
      'notifications: {email: a@example.com, on_failure: [always]}',
      { notifications: { email: [{ recipients: ['a@example.com'], on_failure: 'always' }] } },
      ['warn notifications.email.on_failure unexpected_seq {"value":"always"} :0'],
    ],
    [
      'LANGUAGE: [minimal, minimal]',
      { language: 'shell' },
      [
        'info underscore_key {"original":"LANGUAGE","key":"language"} :0',
        'info language.LANGUAGE alias_value {"alias":"minimal","value":"shell"} :0',
        'warn language unexpected_seq {"value":"shell"} :0',
      ],
    ],
    [
      'deploy: {provider: npm, skip_cleanup: [[a, b], c]}',
      { deploy: [{ provider: 'npm', skip_cleanup: [['a', 'b'], 'c'] }] },
      [
        'warn deploy.skip_cleanup unexpected_seq {"value":"a"} :0',
        'error deploy.skip_cleanup invalid_type {"expected":"bool","actual":"seq","value":[["a","b"],"c"]} :0',
        'warn deploy deprecated_key {"key":"skip_cleanup","info":"use \\"cleanup\\" instead","provider":"npm"} :0',
      ],
    ],
    [
      'dist: "focal please\\nor another one"',
      { dist: 'focal' },
      [
        'warn dist clean_value {"original":"focal please\\nor another one","value":"focal please"} :0',
        'warn dist clean_value {"original":"focal please","value":"focal"} :0',
      ],
    ],
  ])('%s', (text, config, said) => {
    expect(read(text)).toEqual({ config, said })
  })

  test('an os that is not a string has no default dist', () => {
    const { config, messages } = readBuildFile('os: [{a: b}]')
    expect(config).toEqual({ language: 'ruby', os: [{ a: 'b' }] })
    expect(messages.map(({ code, args }) => `${code} ${JSON.stringify(args?.key)}`)).toEqual([
      'default "language"',
      'invalid_type undefined',
    ])
  })
})

describe('a long value', () => {
  const long = 'x'.repeat(3000)

  test('is cleaned like a short value', () => {
    const args = { original: `focal ${long}`, value: 'focal' }
    const { messages } = readBuildFile(`dist: focal ${long}`)
    expect(messages[0]).toMatchObject({ code: 'clean_value', args })
  })

  test.each([
    ['foo', 'unknown_key'],
    ['git', 'invalid_type'],
    ['jobs: {include: [{os', 'unexpected_seq', '[', ']}]}'],
  ])('of %s is complete in the arguments of %s', (key, code, before = '', after = '') => {
    const { messages } = readBuildFile(`${key}: ${before}${long}${after}`)
    expect(messages.find((message) => message.code === code)?.args).toMatchObject({ value: long })
  })

  test('is cut if the messages of a file would repeat too much together', () => {
    const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => `unheard_of_${digit}`)
    const text = `a: &a ${'x'.repeat(250_000)}\n${keys.map((key) => `${key}: *a\n`).join('')}`
    const lengths = readBuildFile(text)
      .messages.filter(({ code }) => code === 'unknown_key')
      .map(({ args }) => String(args?.value).length)
    expect(lengths).toHaveLength(9)
    expect(lengths.filter((length) => length === 250_000)).toHaveLength(3)
    expect(lengths.slice(4).every((length) => length <= 2000)).toBe(true)
  })
})

describe('a value on the line below its dash', () => {
  test.each([
    ['script:\n-\nmake', { script: ['make'] }],
    [
      'script:\n  -\n  make test\n  - lint\nos: linux',
      { script: ['make test', 'lint'], os: ['linux'] },
    ],
    ['script:\n-\nmake\n  test\nos: linux', { script: ['make test'], os: ['linux'] }],
    ['script:\n-\n"make"\n-\n[lint]', { script: ['make', 'lint'] }],
    ['_a: &a make\nscript:\n-\n*a', { _a: 'make', script: ['make'] }],
    ['script:\n-\n&a make\n- *a', { script: ['make', 'make'] }],
    ['script:\n-\nos: linux', { script: [], os: ['linux'] }],
    ['script:\n-\n"os": linux', { script: [], os: ['linux'] }],
  ])('can start in the column of the dash, if it is not a key: %j', (text, config) => {
    expect(read(text).config).toEqual(config)
  })
})

describe('a byte order mark before a word', () => {
  test.each([
    '\uFEFFscript: make\nos: linux',
    'script: make\n\uFEFFos: linux',
    '# one\n\uFEFF# two\n\uFEFFscript: make\nos: linux\n\uFEFF',
    '  \uFEFFscript: make\n  \uFEFF\uFEFFos: linux',
    'script:\n- \uFEFFmake\n\uFEFFos: linux',
    'script: \uFEFFmake\r\n\uFEFFos: linux',
  ])('is left out: %j', (text) => {
    expect(read(text).config).toEqual({ script: ['make'], os: ['linux'] })
  })

  test('counts as a column of the file', () => {
    const { messages, prepared } = readBuildFile(
      'script: make\n  \n\uFEFFfoo: 1\n\uFEFF\uFEFFbar: 2',
    )
    const places = messages.flatMap(({ code, at }) =>
      code === 'unknown_key' && at ? prepared.written(at.start) : [],
    )
    expect(places).toEqual([
      { offset: 17, line: 3, column: 2 },
      { offset: 26, line: 4, column: 3 },
    ])
  })
})
