import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutToBytes, fittingLength, settledLength } from '../../src/runner/log-cut.ts'

const esc = '\u001B'

describe('the first part of a text', () => {
  test.each([
    ['plain', 'abcdef', 6, 'abcd'],
    ['escapes', 'a\n"\\b', 7, 'a\n"'],
    ['a pair', 'a😀b', 6, 'a'],
    ['control characters', '\u0001\u0002\u0003', 14, '\u0001\u0002'],
    ['a colour', `ab${esc}[31mx`, 12, 'ab'],
    ['a whole colour', `ab${esc}[31mx`, 14, `ab${esc}[31m`],
    ['a link', `ab${esc}]8;;http://x${esc}\\y`, 24, 'ab'],
    ['a text that fits', 'abc', 5, 'abc'],
  ])('has the expected end for %s', (_, text, bytes, part) => {
    expect(text.slice(0, fittingLength(text, bytes))).toBe(part)
  })

  test('ends inside an escape sequence that does not fit', () => {
    const text = `${esc}]0;${'x'.repeat(100)}`
    expect(fittingLength(text, 50)).toBe(43)
    expect(fittingLength(`${esc}[31m`, 9)).toBe(2)
  })

  test('always fits, is never empty, and splits no character', () => {
    const sign = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom(`${esc}[0m`, esc),
    )
    const text = fc.array(sign, { minLength: 1, maxLength: 60 }).map((signs) => signs.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 120 }), (text, bytes) => {
        fc.pre(text !== '')
        const part = text.slice(0, fittingLength(text, bytes))
        expect(part).not.toBe('')
        expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(bytes)
        expect(isWellFormed(part) || !isWellFormed(text)).toBe(true)
      }),
    )
  })
})

test.each([
  ['abc', 3],
  [`abc${esc}`, 3],
  [`abc${esc}[`, 3],
  [`abc${esc}[31;1`, 3],
  [`abc${esc}[31;1m`, 10],
  [`abc${esc}]0;title`, 3],
  [`abc${esc}]0;title\u0007`, 13],
  [`abc${esc}]0;title${esc}`, 3],
  [`abc${esc}(`, 3],
  [`abc${esc}(B`, 6],
  [`a${esc}]0;${'x'.repeat(40)}`, 45],
])('of %j, the first %i characters can no longer change', (text, length) => {
  expect(settledLength(text)).toBe(length)
})

test.each([
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['grün', 3, 'gr'],
  ['a😀', 4, 'a'],
  ['abc', 0, ''],
])('%j cut to %i bytes is %j', (text, bytes, cut) => {
  expect(cutToBytes(text, bytes)).toBe(cut)
})

function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text
}
