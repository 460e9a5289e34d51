import { expect, test } from 'vitest'
import { applyFixes } from '../../src/lint/apply-fixes.ts'
import { lintText } from '../../src/lint/lint-text.ts'

const everything = { advice: true, unsafe: true }

test.each([
  'language: python\nscript: tox\ncache: [pip3, bundle, yran]\n',
  'language: python\nscript: tox\ncache:\n  - pip3\n  - npm\n  - directories: [carg]\n',
])('names in a list under cache are never touched: %j', (text) => {
  expect(applyFixes(text, everything)).toMatchObject({ text, applied: [] })
})

test.each([
  ['addons: [{hostnme: x}]', 'a key in it is not read as the one that is meant'],
  ['deploy: {provider: npm, on: [main]}', 'its text is not read as a map'],
  [
    'deploy: {provider: [releases], api_key: $KEY}',
    'the keys beside it are read as of the provider',
  ],
])('a list where a map is wanted is left as it is unless asked for: %s', (text) => {
  expect(applyFixes(`${text}\n`, { advice: false }).applied).toEqual([])
  const { fix } = lintText(text, { advice: false }).findings.find(
    ({ code }) => code === 'unexpected_seq',
  ) ?? { fix: undefined }
  expect(fix?.safe).toBe(false)
})
