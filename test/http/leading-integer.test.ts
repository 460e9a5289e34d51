import { expect, test } from 'vitest'
import { leadingInteger } from '../../src/http/core/leading-integer.ts'

test.each([
  ['12', 12],
  ['12abc', 12],
  [' 7', 7],
  ['-3', -3],
  ['1.9', 1],
  ['abc', 0],
  ['', 0],
  [undefined, 0],
  [['5'], 0],
  [{ a: '5' }, 0],
  ['1e9', 1],
  ['99999999999999999999', Number.MAX_SAFE_INTEGER],
  ['-99999999999999999999', -Number.MAX_SAFE_INTEGER],
])('the leading integer of %j is %d', (given, number) => {
  expect(leadingInteger(given)).toBe(number)
})

test('the leading integer is never larger than the maximum', () => {
  expect(leadingInteger('5000', 100)).toBe(100)
})
