import { describe, expect, test } from 'vitest'
import { applyFixes } from '../../src/lint/apply-fixes.ts'
import { catalogue } from '../../src/lint/catalogue/index.ts'
import type { Example } from '../../src/lint/example.ts'
import { lintText } from '../../src/lint/lint-text.ts'
import { readSettings } from '../../src/lint/project/read-settings.ts'
import { rules } from '../../src/lint/rules/index.ts'
import { messagesOfBuild, messagesOfImports, messagesOfSupport } from './messages-of.ts'

const subjects = [...catalogue, ...rules]

test('each code has one meaning, and rules are sorted by their codes', () => {
  const codes = subjects.map(({ code }) => code)
  expect(codes).toEqual([...new Set(codes)])
  expect(rules.map(({ code }) => code)).toEqual(rules.map(({ code }) => code).toSorted())
})

// An example of `more_alike` would have thousands of lines: it has a test of its own.
describe.each(subjects.filter(({ code }) => code !== 'more_alike'))(
  '$code',
  ({ code, examples }) => {
    test('has an example', () => {
      expect(examples.some(({ messages }) => messages.length > 0)).toBe(true)
    })

    test.each(examples.map((example) => ({ example })))('$example.source', async ({ example }) => {
      expect(await messagesOf(code, example)).toEqual(example.messages)
    })

    const mended = examples.filter(({ fixed }) => fixed !== undefined)
    test.each(mended.map((example) => ({ example })))('fix of $example.source', ({ example }) => {
      const { source, fixed, onRequest = false } = example
      const options = { advice: true, unsafe: onRequest }
      const result = applyFixes(source, options)
      expect(result.text).toBe(fixed)
      expect(result.linted.findings.filter((finding) => finding.code === code)).toEqual([])
      const withoutAsking = applyFixes(source, { advice: true }).text
      expect(withoutAsking).toBe(onRequest ? source : fixed)
    })
  },
)

async function messagesOf(code: string, example: Example): Promise<string[]> {
  const { source, branch, imports, support, settings } = example
  if (settings) return readSettings(source).problems.map(({ message }) => message)
  if (support) return messagesOfSupport(code, source)
  if (branch !== undefined) return messagesOfBuild(code, source, branch)
  if (imports !== undefined) return messagesOfImports(code, source, imports)
  return lintText(source, { advice: true })
    .findings.filter((finding) => finding.code === code)
    .map(({ message }) => message)
}
