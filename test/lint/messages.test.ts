import { describe, expect, test } from 'vitest'
import { expandJobs } from '../../src/buildfile/expand/expand-jobs.ts'
import { applyFixes } from '../../src/lint/apply-fixes.ts'
import { lintText } from '../../src/lint/lint-text.ts'

function findingIn(text: string, code: string) {
  return lintText(text, { advice: false }).findings.find((finding) => finding.code === code)
}

test.each([
  ['script:\n  - echo "foo: bar"\n', `script:\n  - 'echo "foo: bar"'\n`],
  ["script:\n  echo it's: fine # yes\n", "script:\n  'echo it''s: fine' # yes\n"],
  [
    'addons:\n  apt:\n    packages:\n      - say cheese: x\n',
    `addons:\n  apt:\n    packages:\n      - 'say cheese: x'\n`,
  ],
])(
  'a colon that makes a mapping of a text is reported, with quotes as a fix: %j',
  (text, fixed) => {
    const finding = findingIn(text, 'invalid_type')
    expect(finding?.message).toMatch(
      /^the colon after ".+" makes this a mapping.+: put quotes around/,
    )
    expect(finding?.fix).toMatchObject({ title: 'put quotes around the entry', safe: false })
    expect(applyFixes(text, { advice: false }).text).toBe(text)
    const after = applyFixes(text, { advice: false, unsafe: true })
    expect(after.text).toBe(fixed)
    expect(after.linted.findings.filter(({ level }) => level === 'error')).toEqual([])
  },
)

test.each([
  'script:\n  - {echo: hello}\n',
  'script:\n  - "echo": hello\n',
  'script:\n  - echo: [hello]\n',
  'script:\n  - echo: hello\n    make: all\n',
])('an intended mapping is not quoted: %j', (text) => {
  expect(findingIn(text, 'invalid_type')).not.toHaveProperty('fix')
})

test.each(['name', 'stage'])(
  'the finding about "%s" at the root describes what jobs inherit',
  (key) => {
    const text = `${key}: Tests\njobs:\n  include:\n    - script: a\n    - script: b\n      ${key}: Own\n`
    const { config } = lintText(text, { advice: false })
    expect(findingIn(text, 'unknown_key')?.message).toBe(
      `"${key}" belongs to a single job; at the top of the file it applies to every job without its ` +
        'own: move it to the entries of "jobs.include" that need it',
    )
    expect(expandJobs(config).jobs.map((job) => job.config[key])).toEqual(['Tests', 'Own'])
  },
)

describe('an invalid condition', () => {
  const found = (source: string) =>
    lintText(source, { advice: false })
      .findings.filter(({ code }) => code === 'invalid_condition')
      .map(({ line, column, end_column, message }) => ({ line, column, end_column, message }))

  test('is marked from the first unexpected term, with the expected terms', () => {
    expect(found('if: branch = main AN tag = x\n')).toEqual([
      {
        ...{ line: 1, column: 19, end_column: 29 },
        message:
          'the condition "branch = main AN tag = x" cannot be read (there is "AN" where the end, or ' +
          '"and" or "or", should be) and never holds: correct it',
      },
    ])
  })

  test.each([
    ['if it is in quotes', 'if: "branch = main AN tag = x"\n', 31],
    ['if its end is missing', 'if: branch =\n', 13],
  ])('is marked as a whole %s', (_how, source, end_column) => {
    expect(found(source)).toMatchObject([{ line: 1, column: 5, end_column }])
  })

  test('about a secret does not show the compared value', () => {
    const message = found('if: env(API_TOKEN) = hunter2 x\n')[0]?.message ?? ''
    expect(message).toContain('API_TOKEN')
    expect(message).not.toContain('hunter2')
    expect(message).not.toContain('(there')
  })
})
