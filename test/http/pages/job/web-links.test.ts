import { expect, test } from 'vitest'
import { findWebLinks } from '../../../../src/http/pages/job/log.tsx'

/** Addresses in angle brackets. */
function marked(text: string): string {
  return findWebLinks(text)
    .map((piece) => (piece.href === null ? piece.text : `<${piece.href}>`))
    .join('')
}

test.each([
  ['no address', 'no address'],
  ['', ''],
  ['see https://example.com/a?b=c#d.', 'see <https://example.com/a?b=c#d>.'],
  ['(http://localhost:3000/)', '(<http://localhost:3000/>)'],
  ['"https://a.test","https://b.test"', '"<https://a.test>","<https://b.test>"'],
  ['ftp://a.test javascript://a.test file:///a', 'ftp://a.test javascript://a.test file:///a'],
  ['data:text/html,<b> HTTPS://A.TEST', 'data:text/html,<b> HTTPS://A.TEST'],
  ['https://', 'https://'],
  ['https://a.test<script>', '<https://a.test><script>'],
])('%j is shown with its links as %j', (text, expected) => {
  expect(marked(text)).toBe(expected)
})

test('only the first ten addresses in a text become links', () => {
  const text = 'http://a.test '.repeat(100)
  const pieces = findWebLinks(text)
  expect(pieces.filter(({ href }) => href !== null)).toHaveLength(10)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
})
