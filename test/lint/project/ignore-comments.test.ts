import { expect, test } from 'vitest'
import { lintText } from '../../../src/lint/lint-text.ts'

const findingsOf = (text: string, options = { advice: true }) =>
  lintText(text, options)
    .findings.filter(({ code }) => ['find_key', 'lint_ignore', 'invalid_type'].includes(code))
    .map(({ code, line }) => `${code}:${line}`)

test.each([
  ['on its own line', 'scirpt: make # lint-ignore find_key: ours\n', []],
  ['with any character', 'scirpt: make # lint-ignore find_key: ours\u2028too\n', []],
  ['on the next line', '# lint-ignore find_key: ours\nscirpt: make\n', []],
  ['past comments and blank lines', '# lint-ignore find_key: ours\n# and so\n\nscirpt: make\n', []],
  ['on no other line', 'scirpt: make # lint-ignore find_key: ours\ninstal: make\n', ['find_key:2']],
  [
    'for no other code',
    'scirpt: make # lint-ignore empty: ours\n',
    ['find_key:1', 'lint_ignore:1'],
  ],
  ['without a reason', 'scirpt: make # lint-ignore find_key:\n', ['find_key:1', 'lint_ignore:1']],
  ['for all codes', 'scirpt: make # lint-ignore *: all\n', ['find_key:1', 'lint_ignore:1']],
  [
    'for an error',
    'addons: 1 # lint-ignore invalid_type: ours\n',
    ['invalid_type:1', 'lint_ignore:1'],
  ],
  ['at the end', 'script: make\n# lint-ignore find_key: ours\n', ['lint_ignore:2']],
])('a comment has an effect or is reported: %s', (_title, text, expected) => {
  expect(findingsOf(text)).toEqual(expected)
})

test.each([
  ['above', '# lint-ignore failure_swallowed: ours\nscript: |\n  cd x\n\n  make; ls\n', []],
  ['in its header', 'script:\n  - | # lint-ignore failure_swallowed: ours\n    make\n    ls\n', []],
  [
    'within it',
    'script:\n  - |\n    # lint-ignore failure_swallowed: ours\n    make\n    ls\n',
    [],
  ],
  [
    'above, but not the block after it',
    'script:\n  # lint-ignore failure_swallowed: ours\n  - |\n    make\n  - make; ls\n',
    ['lint_ignore:2', 'failure_swallowed:5'],
  ],
])('a comment applies to a block of text: %s', (_title, text, expected) => {
  const found = lintText(text, { advice: true }).findings.map(({ code, line }) => `${code}:${line}`)
  expect(
    found.filter((each) => /^(?:lint_ignore|failure_swallowed):/.test(each)).toSorted(),
  ).toEqual(expected.toSorted())
})

test('if no advice is requested, as by /lint, comments have no effect', () => {
  const text = 'scirpt: make # lint-ignore find_key: ours\n'
  expect(findingsOf(text, { advice: false })).toEqual(['find_key:1'])
})

test('the normal form is the same with and without a comment', () => {
  const text = 'scirpt: make\n'
  const commented = 'scirpt: make # lint-ignore find_key: ours\n'
  const { config } = lintText(commented, { advice: true })
  expect(config).toEqual(lintText(text, { advice: true }).config)
})

test('thousands of comments can be read', () => {
  const { findings } = lintText('# lint-ignore find_key: x\n'.repeat(10_000), { advice: true })
  expect(findings.filter(({ code }) => code === 'lint_ignore').length).toBeGreaterThan(0)
})
