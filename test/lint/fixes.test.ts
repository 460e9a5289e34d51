import { expect, test } from 'vitest'
import { countJobs } from '../../src/buildfile/expand/expand-jobs.ts'
import { applyFixes } from '../../src/lint/apply-fixes.ts'
import { lintText } from '../../src/lint/lint-text.ts'

const everything = { advice: true, unsafe: true }

test.each([
  'language: python\nscript: tox\ncache: [pip3, bundle, yran]\n',
  'language: python\nscript: tox\ncache:\n  - pip3\n  - npm\n  - directories: [carg]\n',
])('names in a list under cache are never corrected: %j', (text) => {
  expect(applyFixes(text, everything)).toMatchObject({ text, applied: [] })
})

test.each([
  ['addons: [{hostnme: x}]', 'a key in it is not read as the one that is meant'],
  ['deploy: {provider: npm, on: [main]}', 'its text is not read as a map'],
  [
    'deploy: {provider: [releases], api_key: $KEY}',
    'the keys next to it are read as keys of the provider',
  ],
])('a list instead of a mapping is only fixed on request: %s', (text) => {
  expect(applyFixes(`${text}\n`, { advice: false }).applied).toEqual([])
  const { fix } = lintText(text, { advice: false }).findings.find(
    ({ code }) => code === 'unexpected_seq',
  ) ?? { fix: undefined }
  expect(fix?.safe).toBe(false)
})

test.each([
  ['jobs that would be equal without it', ['sudo: false', 'script: make'], ['script: make']],
  ['a job without other keys, which would change', ['sudo: true'], ['sudo: required']],
])('sudo is not removed if that would remove a job: %s', (_what, ...jobs) => {
  const entries = jobs.map((lines) => `    - ${lines.join('\n      ')}\n`)
  const text = `language: ruby\nsudo: true\nscript: make\njobs:\n  include:\n${entries.join('')}`
  const countIn = (file: string) => countJobs(lintText(file, { advice: false }).config)
  expect(countIn(applyFixes(text, { advice: false }).text)).toBe(countIn(text))
})

test('sudo is removed if each job has other keys and the same sudo', () => {
  const include = '  include:\n    - script: make a\n'
  const text = `language: ruby\nsudo: true\njobs:\n${include}      sudo: true\n`
  expect(applyFixes(text, { advice: false }).text).toBe(`language: ruby\njobs:\n${include}`)
})

test.each([
  ['os: linux\nsudo: false\nscript: make\n', 'os: linux\nscript: make\n'],
  ['script: make\nsudo: false\n', 'script: make\n'],
  ['script: make\nsudo: false', 'script: make'],
  ['sudo: false\nscript: make\n', 'script: make\n'],
])('a line is removed with its line break, of any kind: %j', (lines, fixed) => {
  for (const end of ['\n', '\r\n', '\r']) {
    const [text, wanted] = [lines, fixed].map((part) => part.replaceAll('\n', end))
    expect(applyFixes(text ?? '', { advice: false }).text).toBe(wanted)
  }
})
