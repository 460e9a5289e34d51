import { expect, test } from 'vitest'
import { readSettings } from '../../../src/lint/project/read-settings.ts'

test('settings turn rules off or give them a level, and list files', () => {
  const text =
    'rules:\n  failure_swallowed: off\n  find_key: "off"\n  exit_ends_job: error\nfiles: [a.yml, ci/*.yml]\n'
  const { settings, problems } = readSettings(text)
  expect(problems).toEqual([])
  expect(Object.fromEntries(settings.rules)).toEqual({
    failure_swallowed: 'off',
    find_key: 'off',
    exit_ends_job: 'error',
  })
  expect(settings.files).toEqual(['a.yml', 'ci/*.yml'])
})

test.each(['', '# nothing yet\n'])('an empty settings file is valid: %j', (text) => {
  expect(readSettings(text).problems).toEqual([])
})

test.each([
  ['rules: [\n', 1, 'the file cannot be read: '],
  ['- a\n', 1, 'the file cannot be read: '],
  ['rules:\n  find_key: off\nrulez: {}\n', 3, 'there is no setting "rulez"'],
  ['rules:\n  "*": off\n', 2, 'there is no code "*"'],
  ['rules:\n  find_key: off\n  parse_error: off\n', 3, '"parse_error" is about what stops builds'],
  [
    'rules:\n  find_key: on\n',
    2,
    '"on" is not a level of "find_key": write one of off, info, warn, error',
  ],
  ['rules: off\n', 1, '"rules" is a map'],
  ['files:\n  - a.yml\n  - {b: c}\n', 3, '"files" is a list of paths'],
])(
  'an invalid setting is reported with its line, and all settings are ignored: %j',
  (text, line, problem) => {
    const { settings, problems } = readSettings(text)
    expect(problems).toMatchObject([
      {
        level: 'error',
        code: 'lint_settings',
        file: '.service-lint.yml',
        line,
        message: expect.stringContaining(problem),
      },
    ])
    expect(settings).toEqual({ rules: new Map(), files: [] })
  },
)

test('only the first of many problems are listed, and the others are counted', () => {
  const codes = Array.from({ length: 5000 }, (_, index) => `  nope_${index}: off\n`)
  const { problems } = readSettings(`rules:\n${codes.join('')}`)
  expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 21 }, (_, at) => at + 2))
  expect(problems.at(-1)?.message).toBe(
    'this settings file is ignored, because it contains an error: from here on 4980 more are wrong: ' +
      'correct those above first',
  )
})
