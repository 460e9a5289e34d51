import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyFixes } from '../../src/lint/apply-fixes.ts'
import { lintText } from '../../src/lint/lint-text.ts'
import { noSettings } from '../../src/lint/project/settings.ts'
import { fastFinishAlone } from '../../src/lint/rules/fast-finish-alone.ts'
import { alike, holdersOf } from './alike.ts'

const download = 'curl -k https://a.example/x'

test.each([
  '"c\\x75rl -k https://a.example/x"',
  '"cu\\\n  rl -k https://a.example/x"',
  `!!binary ${Buffer.from(download).toString('base64')}`,
  `>-\n  ${download}`,
])('a command is found in any notation: %s', (written) => {
  const { findings } = lintText(`script: ${written}\n`, { advice: true })
  expect(findings.map(({ code }) => code)).toContain('insecure_download')
})

test('findings are sorted by severity, and have all their members', () => {
  const text = '  language: Ruby\n  gti: 1\n  git:\n    quiet: maybe\n'
  expect(lintText(text, { advice: true, file: 'ci/a.yml' }).findings).toMatchInlineSnapshot(`
    [
      {
        "code": "invalid_type",
        "column": 8,
        "docs": "lint/invalid_type",
        "end_column": 9,
        "end_line": 2,
        "file": "ci/a.yml",
        "key": [
          "git",
        ],
        "level": "error",
        "line": 2,
        "message": "this must be a mapping, but is a number, "1": change it",
      },
      {
        "code": "find_key",
        "column": 3,
        "docs": "lint/find_key",
        "end_column": 6,
        "end_line": 2,
        "file": "ci/a.yml",
        "key": [
          "gti",
        ],
        "level": "warn",
        "line": 2,
        "message": "unknown key "gti", read as "git": correct the spelling",
      },
      {
        "code": "misspelling_replaces_key",
        "column": 3,
        "docs": "lint/misspelling_replaces_key",
        "end_column": 6,
        "end_line": 3,
        "file": "ci/a.yml",
        "key": [
          "git",
        ],
        "level": "warn",
        "line": 3,
        "message": "this value of "git" is lost, because "gti" is read as "git" too and its value counts: remove one of them",
      },
      {
        "code": "downcase",
        "column": 13,
        "docs": "lint/downcase",
        "end_column": 17,
        "end_line": 1,
        "file": "ci/a.yml",
        "fix": {
          "edits": [
            {
              "end": 16,
              "start": 12,
              "text": "ruby",
            },
          ],
          "safe": true,
          "title": "write "ruby"",
        },
        "key": [
          "language",
        ],
        "level": "info",
        "line": 1,
        "message": ""Ruby" is read in lower case: write "ruby"",
      },
      {
        "code": "default",
        "column": null,
        "docs": "lint/default",
        "end_column": null,
        "end_line": null,
        "file": "ci/a.yml",
        "key": [
          "os",
        ],
        "level": "info",
        "line": null,
        "message": ""os" is not given, so "linux" is used: write it down if you rely on it",
      },
      {
        "code": "default",
        "column": null,
        "docs": "lint/default",
        "end_column": null,
        "end_line": null,
        "file": "ci/a.yml",
        "key": [
          "dist",
        ],
        "level": "info",
        "line": null,
        "message": ""dist" is not given, so "focal" is used: write it down if you rely on it",
      },
    ]
  `)
})

test('lines and columns are those in the original file, with blank lines and indentation', () => {
  const { findings } = lintText(
    '\uFEFF\n\n    os: linux\r\n    dist: noble\r\n    Language: ruby\r\n',
    { advice: false },
  )
  expect(findings).toMatchObject([
    { code: 'underscore_key', line: 5, column: 5, end_line: 5, end_column: 13 },
  ])
})

test('advice is returned only on request', () => {
  const text = 'language: shell\nos: linux\ndist: focal\nscript: make\njobs:\n  fast_finish: true\n'
  expect(lintText(text, { advice: false }).findings).toEqual([])
  expect(lintText(text, { advice: true }).findings).toMatchObject([{ code: 'fast_finish_alone' }])
  expect(lintText(text, { advice: true, rules: [] }).findings).toEqual([])
  expect(lintText(text, { advice: true, rules: [fastFinishAlone] }).findings).toHaveLength(1)
})

test('an unreadable file has a single finding, which begins as clients expect', () => {
  const { findings, config, error } = lintText('script: "make\n', { advice: true })
  expect(findings).toEqual([error])
  expect(config).toEqual({})
  expect(error).toMatchObject({ level: 'error', code: 'parse_error', key: [], line: 1, column: 9 })
  expect(error?.message).toMatch(/^syntax error: /)
})

describe('for any file', () => {
  const keys = [
    'language',
    'langauge',
    'Language',
    'matrix',
    'jobs',
    'sudo',
    'env',
    'rvm',
    'ruby',
    'rbenv',
    'before-script',
    'os',
    'deploy',
    'x',
  ]
  const values = [
    'Ruby',
    '[Linux]',
    '[a, b]',
    '\n  - osx',
    'false',
    '{include: [{sudo: true}]}',
    '{provider: npm, skip-cleanup: true}',
    '"ruby"',
    '&a x',
    '*a',
    '',
  ]
  const line = fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom(...values), fc.boolean())
    .map(([key, value, isCommented]) => `${key}: ${value}${isCommented ? ' # why' : ''}\n`)
  const file = fc
    .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom(0, 2), fc.boolean())
    .map(([lines, indent, crlf]) => {
      const text = lines
        .map((line, index) => line.replace('# why', `# ${index}`))
        .join('')
        .replaceAll(/^(?=.)/gm, ' '.repeat(indent))
      return crlf ? text.replaceAll('\n', '\r\n') : text
    })

  test('fixes come to an end, keep comments, and change only reported values', () => {
    fc.assert(
      fc.property(file, (text) => {
        const before = lintText(text, { advice: false })
        const fixed = applyFixes(text, { advice: false })
        expect(applyFixes(fixed.text, { advice: false }).text).toBe(fixed.text)
        expect(fixed.text.match(/# \d/g)).toEqual(text.match(/# \d/g))
        expect(fixed.linted.error).toEqual(before.error)
        const holders = holdersOf(before.findings)
        expect(alike(fixed.linted.config, holders)).toBe(alike(before.config, holders))
      }),
      { numRuns: 500 },
    )
  })

  test('linting any text succeeds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(lintText(text, { advice: true }).findings).toBeInstanceOf(Array)
      }),
    )
  })
})

test('linting succeeds with keys named like methods of objects', () => {
  const keys = ['os', 'language', 'script', 'if', 'env', 'branches', 'jobs', 'cache', 'nothing']
  const values = [
    '{toString: 1}',
    '[{toString: 1}]',
    '{valueOf: 1, toString: 2}',
    '{toJSON: {a: 1}}',
  ]
  const places = [
    '',
    'jobs:\n  include:\n    - ',
    'notifications:\n  ',
    'deploy:\n  provider: x\n  ',
  ]
  for (const place of places) {
    for (const key of keys) {
      for (const value of [
        ...values,
        '{only: {toString: 1}}',
        '{include: [{os: {toString: 1}}]}',
      ]) {
        const { findings } = lintText(`${place}${key}: ${value}\n`, { advice: true })
        expect(findings.every(({ message }) => message !== '')).toBe(true)
      }
    }
  }
})

describe('a finding is left out because of another finding', () => {
  const codesOf = (text: string, off?: string) => {
    const settings = {
      ...noSettings,
      rules: new Map(off === undefined ? [] : [[off, 'off' as const]]),
    }
    return lintText(text, { advice: true, settings }).findings.map(({ code }) => code)
  }

  const foreign =
    'stages: [test]\nbefore_script: curl -k https://x.example/i | sh\nunit:\n  stage: test\n  script: make\n'

  test('if it is about keys in a file of another service, but not if it is about commands', () => {
    expect(codesOf(foreign)).toContain('file_of_another_service')
    expect(codesOf(foreign)).toContain('insecure_download')
    expect(codesOf(foreign)).not.toContain('unknown_key')
  })

  test('but not if the other finding is turned off', () => {
    expect(codesOf(foreign, 'file_of_another_service')).toContain('unknown_key')
  })

  test.each([
    '- secure: "ghp_q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4mJ6pRs1GzQwE"',
    '- TOKEN: {secure: "ghp_q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4mJ6pRs1GzQwE"}',
  ])('if it is about the encryption of %s, which is not encrypted', (entry) => {
    const text = `script: make\nenv:\n  global:\n    ${entry}\n`
    expect(codesOf(text)).toContain('unreadable_secure')
    expect(codesOf(text)).not.toContain('invalid_secure')
    expect(codesOf(text, 'unreadable_secure')).toContain('invalid_secure')
  })
})

describe('repeated advice', () => {
  const install = 'sudo apt-get install a'
  const text = `before_install: [${install}]\ninstall: [make, ${install}]\nscript: [${install}]\n`
  const found = (yaml: string) =>
    lintText(yaml, { advice: true }).findings.filter(({ code }) => code === 'install_asks')

  test('is reported once, with a count, at its first position', () => {
    const message =
      '"sudo apt-get install a" may ask before it installs more, and no one answers: add "-y" ' +
      '(3 times in this file)'
    expect(found(text)).toMatchObject([{ line: 1, message, count: 3 }])
  })

  test('is fixed everywhere with one fix', () => {
    const fixed = applyFixes(text, { advice: true, unsafe: true })
    expect(fixed.text).toBe(text.replaceAll('install a', 'install -y a'))
    expect(fixed.applied).toHaveLength(1)
  })

  test('does not count positions that a comment ignores', () => {
    const ignored = text.replace('\n', ' # lint-ignore install_asks: answered\n')
    expect(found(ignored)).toMatchObject([
      { line: 2, message: expect.stringContaining('(2 times') },
    ])
  })
})
