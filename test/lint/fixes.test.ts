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

test.each([
  ['true', '- sudo: true\n    - script: make', 'a job that says nothing else'],
  [
    'true',
    '- sudo: false\n      script: make\n    - script: make',
    'jobs that are equal without it',
  ],
])('no sudo is removed that makes a job: %s, %s', (sudo, include) => {
  const text = `language: ruby\nsudo: ${sudo}\njobs:\n  include:\n    ${include}\n`
  expect(applyFixes(text, { advice: false })).toMatchObject({ text, applied: [] })
})

test('sudo is removed where each job says more, and the same', () => {
  const include = '  include:\n    - script: make a\n'
  const text = `language: ruby\nsudo: true\njobs:\n${include}      sudo: true\n`
  expect(applyFixes(text, { advice: false }).text).toBe(`language: ruby\njobs:\n${include}`)
})
