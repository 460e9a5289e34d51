import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLines, plainPieces } from '../../../src/http/v2/present/log.ts'

test.each([
  ['plain\n', 'plain\n'],
  ['\u001B[31;1mred\u001B[0m text', 'red text'],
  ['\u001B]0;title\u0007shown', 'shown'],
  ['one\r\ntwo\r\n', 'one\ntwo\n'],
  ['10%\r50%\r100%\r\nend', '100%\nend'],
  ['service_fold:start:a\r\u001B[0K$ a\n', '$ a\n'],
  ['\u001B]never ended', 'never ended'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(plainLines(text)).toBe(shown)
})

test('text in pieces is shown like the whole text', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\u001B', '[', '0', 'K', 'm') })
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (pieces) => {
      const shown: string[] = []
      async function* given() {
        yield* pieces
      }
      for await (const piece of plainPieces(given())) shown.push(piece)
      expect(shown.join('')).toBe(plainLines(pieces.join('')))
    }),
  )
})
