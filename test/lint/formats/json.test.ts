import { expect, test } from 'vitest'
import { formatJson } from '../../../src/lint/formats/json.ts'
import { reports } from './reports.ts'

test('JSON holds every finding as it is', () => {
  expect(JSON.parse(formatJson(reports))).toEqual({
    findings: reports.flatMap(({ findings }) => findings),
  })
})

test('JSON has nothing in it that acts on a terminal or hides from the eye', () => {
  const message = 'a\u009B2Jb\u202Ec\u2066d\u007Fe\n'
  const findings = reports.flatMap(({ findings }) => findings.map((each) => ({ ...each, message })))
  const text = formatJson([{ file: 'a.yml', text: '', findings }])
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(text)).toEqual({ findings })
})

test('nothing found is an empty list', () => {
  expect(formatJson([{ file: 'a.yml', text: '', findings: [] }])).toBe('{\n  "findings": []\n}\n')
})
