import { expect, test } from 'vitest'
import { formatJson } from '../../../src/lint/formats/json.ts'
import { reports } from './reports.ts'

test('JSON holds every finding unchanged', () => {
  expect(JSON.parse(formatJson(reports))).toEqual({
    findings: reports.flatMap(({ findings }) => findings),
  })
})

test('JSON has no control or invisible characters', () => {
  const message = 'a\u009B2Jb\u202Ec\u2066d\u007Fe\n'
  const findings = reports.flatMap(({ findings }) => findings.map((each) => ({ ...each, message })))
  const text = formatJson([{ file: 'a.yml', text: '', findings }])
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(text)).toEqual({ findings })
})

test('a file without findings is an empty list in JSON', () => {
  expect(formatJson([{ file: 'a.yml', text: '', findings: [] }])).toBe('{\n  "findings": []\n}\n')
})
