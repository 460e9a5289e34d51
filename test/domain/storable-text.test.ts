import { expect, test } from 'vitest'
import { storableValue } from '../../src/domain/text/storable-text.ts'

test.each([
  ['a text', 'a\u0000b', 'ab'],
  ['a key', { 'a\u0000': 1 }, { a: 1 }],
  ['an unpaired high surrogate', ['\ud83d'], ['\ufffd']],
  ['an unpaired low surrogate', [{ a: '\ude00' }], [{ a: '\ufffd' }]],
  ['a text that only looks like an escape', '\\u0000', '\\u0000'],
  ['a whole surrogate pair', ['\u{1f600}'], ['\u{1f600}']],
])('%s becomes storable', (_what, value, stored) => {
  expect(storableValue(value)).toEqual(stored)
})

test('a storable value is returned unchanged', () => {
  const value = { at: new Date(0), list: ['a', null, undefined] }
  expect(storableValue(value)).toBe(value)
})
