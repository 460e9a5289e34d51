import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskTexts } from '../../src/runner/mask-texts.ts'
import { createMasker } from '../../src/runner/masker.ts'

/** Masks a text that comes in pieces of so many bytes. */
function masked(secret: string, text: string | Uint8Array, piece = 1_000): string {
  const masker = createMasker(maskTexts([secret]))
  const bytes = Buffer.from(text)
  const out = []
  for (let at = 0; at < bytes.length; at += piece) {
    out.push(masker.push(bytes.subarray(at, at + piece)))
  }
  return Buffer.concat([...out, masker.end()]).toString()
}

const secret = `p4ss/"w'o$rd\\ü😀<&>+ =;,@:#?x!*()[]~\`|`
const hexOf = (sign: string) => `&#x${sign.codePointAt(0)?.toString(16)};`

describe.each([1, 7, 1000])('in pieces of %i bytes', (piece) => {
  test.each([
    ['Python, quote()', `p4ss/${encodeURIComponent(secret.slice(5))}`],
    ['JavaScript, encodeURI()', encodeURI(secret)],
    ['JavaScript, encodeURIComponent()', encodeURIComponent(secret)],
    ['URLSearchParams', new URLSearchParams({ p: secret }).toString().slice(2)],
    ['all bytes in percent codes', Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
    [
      'JSON in ASCII',
      JSON.stringify(secret)
        .slice(1, -1)
        .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    [
      'JSON for a page',
      JSON.stringify(secret)
        .slice(1, -1)
        .replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
    ],
    [
      'HTML',
      secret
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;'),
    ],
    ['HTML in hexadecimal', Array.from(secret, hexOf).join('')],
    [
      'Python, repr of bytes',
      [...Buffer.from(secret)]
        .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`))
        .join('')
        .replaceAll(/\\(?!x)/g, '\\\\')
        .replaceAll("'", "\\'"),
    ],
    ['single quotes of a shell', secret.replaceAll("'", String.raw`'\''`)],
    ['single quotes of a shell, otherwise', secret.replaceAll("'", `'"'"'`)],
    [
      'grep --color',
      `p4ss\u001B[01;31m\u001B[K${secret.slice(4, 9)}\u001B[m\u001B[K${secret.slice(9)}`,
    ],
    ['base64', Buffer.from(secret).toString('base64').replaceAll('=', '')],
    ['hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ])('a secret is covered as %s has it', (_, written) => {
    expect(masked(secret, `<${written}>`, piece)).toBe('<[secure]>')
  })
})

test.each(['C', 'C.UTF-8'])('is covered as bash quotes it in the locale %s', (LC_ALL) => {
  const text = execFileSync(
    'bash',
    ['-c', 'exec 2>&1; printf "%q\\n" "$1"; set -x; : "$1"', 'bash', secret],
    { env: { PATH: '/usr/bin:/bin', LC_ALL }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  expect(text).toContain('p4ss')
  expect(masked(secret, text)).not.toMatch(/p4ss|rd|x!/)
})

test('secrets that look escaped are covered as they are', () => {
  for (const value of [
    'p4ss/w%C3%B6rd%22',
    String.raw`a\nb\u0041`,
    '&amp;&lt;',
    `'\\''''\\''`,
    '\u001B[31mred',
  ]) {
    expect(masked(value, `<${value}> ${value}`)).toBe('<[secure]> [secure]')
  }
})

test('a value that is no text is covered byte by byte', () => {
  const bytes = Buffer.from('latin-\xfc\xe9-bytes', 'latin1')
  const masker = createMasker(maskTexts([bytes]))
  const text = Buffer.concat([
    masker.push(Buffer.concat([Buffer.from('<'), bytes, Buffer.from('> ')])),
    masker.push(Buffer.from(bytes.toString('base64'))),
    masker.end(),
  ])
  expect(text.toString()).toBe('<[secure]> [secure]=')
})

test('text without secrets stays as it is, whatever is escaped in it and however it is cut', () => {
  const word = fc.constantFrom(
    ...[
      'p4ss',
      '%',
      '%2',
      '%2F',
      '\\',
      '\\u',
      '\\u00',
      '\\ud83d',
      "'",
      "'\\",
      '&',
      '&am',
      '&#x',
      '+',
      ' ',
    ],
    ...['\u001B[', '\u001B[31m', '\n', 'ü', 'QUJD', '=='],
  )
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      (words, piece) => {
        const text = words.join('')
        expect(masked('p4ss/never"seen', text, piece)).toBe(text)
      },
    ),
    { numRuns: 500 },
  )
})

test('what comes behind a text of many escapes is covered too', () => {
  const flood = '\\'.repeat(5_001) + '%'.repeat(5_000) + "'".repeat(5_000)
  expect(masked('hunter2', `${flood}hunter2`, 100)).toBe(`${flood}[secure]`)
})
