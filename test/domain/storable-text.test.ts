import { expect, test } from 'vitest'
import { storableValue } from '../../src/domain/text/storable-text.ts'

test.each([
  ['a text', 'a\u0000b', 'ab'],
  ['a key', { 'a\u0000': 1 }, { a: 1 }],
  ['half of a pair', ['\ud83d'], ['\ufffd']],
  ['its other half', [{ a: '\ude00' }], [{ a: '\ufffd' }]],
  ['what only looks like an escape', '\\u0000', '\\u0000'],
  ['a whole pair', ['\u{1f600}'], ['\u{1f600}']],
])('%s becomes one that can be stored', (_what, value, stored) => {
  expect(storableValue(value)).toEqual(stored)
})

test('a value that can be stored is returned as it is', () => {
  const value = { at: new Date(0), list: ['a', null, undefined] }
  expect(storableValue(value)).toBe(value)
})
