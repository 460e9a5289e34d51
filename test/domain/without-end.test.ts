import { expect, test } from 'vitest'
import { withoutEnd } from '../../src/domain/time/without-end.ts'

test.each([
  ['a\n\n', '\n', 'a'],
  ['\na\n b', '\n', '\na\n b'],
  ['a \r\n\t', ' \t\r\n', 'a'],
  ['\n\n', '\n', ''],
  ['', '\n', ''],
])('%j without %j at its end is %j', (text, characters, expected) => {
  expect(withoutEnd(text, characters)).toBe(expected)
})

// A pattern that ends in `+$` takes hours for this one.
test('a text with many such characters before its last character is unchanged', () => {
  const text = `x${'\n'.repeat(2_000_000)}y`
  expect(withoutEnd(text, '\n')).toBe(text)
})
