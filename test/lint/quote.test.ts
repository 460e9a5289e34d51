import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visible } from '../../src/domain/text/escape-control-characters.ts'
import { quote } from '../../src/lint/quote.ts'

test.each([
  ['ruby', '"ruby"'],
  ['say "hi"', String.raw`"say \"hi\""`],
  ['a\nb\tc\r', String.raw`"a\nb\tc\r"`],
  ['\u001B[31mred\u0007', String.raw`"\x1b[31mred\x07"`],
  ['\u202Eabc\u200B', String.raw`"\u202eabc\u200b"`],
  ['größe ✓', '"größe ✓"'],
  [3.1, '"3.1"'],
  [true, '"true"'],
  [{ a: [1] }, String.raw`"{\"a\":[1]}"`],
  [undefined, '""'],
  ['x'.repeat(100), `"${'x'.repeat(59)}…"`],
])('%j is quoted as %s', (value, quoted) => {
  expect(quote(value)).toBe(quoted)
})

test('a quoted text is a single line without control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(text)).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u)
      expect(quote(text).startsWith('"')).toBe(true)
    }),
  )
})
