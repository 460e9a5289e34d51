import { expect, test } from 'vitest'
import { formatJson } from '../../../src/lint/formats/json.ts'
import { reports } from './reports.ts'

test('JSON holds every finding as it is', () => {
  expect(JSON.parse(formatJson(reports))).toEqual({
    findings: reports.flatMap(({ findings }) => findings),
  })
})

test('nothing found is an empty list', () => {
  expect(formatJson([{ file: 'a.yml', text: '', findings: [] }])).toBe('{\n  "findings": []\n}\n')
})
