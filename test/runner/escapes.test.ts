import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskTexts } from '../../src/runner/masking/job-masker.ts'
import { createMasker } from '../../src/runner/masking/masker.ts'

/** Masks a text in pieces of this many bytes. */
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
const quotedPrintable = (sign: string) =>
  [...Buffer.from(sign)].map((byte) => `=${byte.toString(16).toUpperCase()}`).join('')
const hexOf = (sign: string) => `&#x${sign.codePointAt(0)?.toString(16)};`

describe.each([1, 7, 1000])('in pieces of %i bytes', (piece) => {
  test.each([
    ['Python, quote()', `p4ss/${encodeURIComponent(secret.slice(5))}`],
    ['JavaScript, encodeURI()', encodeURI(secret)],
    ['JavaScript, encodeURIComponent()', encodeURIComponent(secret)],
    ['URLSearchParams', new URLSearchParams({ p: secret }).toString().slice(2)],
    ['percent codes of all bytes', Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
    [
      'ASCII-only JSON',
      JSON.stringify(secret)
        .slice(1, -1)
        .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    [
      'JSON embedded in a page',
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
    ['single quotes of a shell, in the other form', secret.replaceAll("'", `'"'"'`)],
    [
      'grep --color',
      `p4ss\u001B[01;31m\u001B[K${secret.slice(4, 9)}\u001B[m\u001B[K${secret.slice(9)}`,
    ],
    ['base64', Buffer.from(secret).toString('base64').replaceAll('=', '')],
    [
      'quoted-printable',
      Array.from(secret, (sign, index) =>
        /[ -<>-~]/.test(sign) ? (index === 9 ? `=\r\n${sign}` : sign) : quotedPrintable(sign),
      ).join(''),
    ],
    ['hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ])('a secret is covered in the form of %s', (_, written) => {
    expect(masked(secret, `<${written}>`, piece)).toBe('<[secure]>')
  })
})

test.each(['C', 'C.UTF-8'])('is covered as bash quotes the secret in the locale %s', (LC_ALL) => {
  const text = execFileSync(
    'bash',
    ['-c', 'exec 2>&1; printf "%q\\n" "$1"; set -x; : "$1"', 'bash', secret],
    { env: { PATH: '/usr/bin:/bin', LC_ALL }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  expect(text).toContain('p4ss')
  expect(masked(secret, text)).not.toMatch(/p4ss|rd|x!/)
})

test('secrets that look escaped are covered literally', () => {
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

test('a value that is not valid text is covered byte by byte', () => {
  const bytes = Buffer.from('latin-\xfc\xe9-bytes', 'latin1')
  const masker = createMasker(maskTexts([bytes]))
  const text = Buffer.concat([
    masker.push(Buffer.concat([Buffer.from('<'), bytes, Buffer.from('> ')])),
    masker.push(Buffer.from(bytes.toString('base64'))),
    masker.end(),
  ])
  expect(text.toString()).toBe('<[secure]> [secure]=')
})

test('text without secrets is unchanged, whatever escapes it contains and however it is cut', () => {
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

test('a secret after a long run of escape characters is covered', () => {
  const flood = '\\'.repeat(5_001) + '%'.repeat(5_000) + "'".repeat(5_000)
  expect(masked('hunter2', `${flood}hunter2`, 100)).toBe(`${flood}[secure]`)
})

describe.each([1, 2, 3, 5, 1000])(
  'characters that a terminal does not show, in pieces of %i bytes',
  (piece) => {
    const esc = '\u001B'
    test.each([
      ['CSI', `${esc}[38;2;1;2;3m`],
      ['CSI with a private parameter', `${esc}[?25l`],
      ['CSI with an intermediate byte', `${esc}[1 q`],
      ['CSI that moves the cursor', `${esc}[10;20H`],
      ['CSI in 8 bits', '\u009B31m'],
      ['CSI in 8 bits as one byte', Buffer.from('\u009B31m', 'latin1')],
      ['OSC that ends with a bell', `${esc}]0;a title\u0007`],
      ['OSC of a link', `${esc}]8;;https://example.org/${'a/'.repeat(500)}${esc}\\`],
      ['OSC that fills the clipboard', `${esc}]52;c;${'A'.repeat(6_000)}\u0007`],
      ['OSC that is canceled', `${esc}]0;a title\u0018`],
      ['OSC that another sequence ends', `${esc}]0;a title${esc}[1m`],
      ['CSI with a control character within', `${esc}[3\r1m`],
      ['two thousand CSI', `${esc}[0m`.repeat(2_000)],
      ['OSC in 8 bits', '\u009D8;;https://example.org\u009C'],
      ['DCS', `${esc}P1$r0m${esc}\\`],
      ['DCS in 8 bits', '\u0090q#0;2\u009C'],
      ['APC', `${esc}_G;AAAA${esc}\\`],
      ['PM and SOS', `${esc}^a${esc}\\${esc}Xb${esc}\\`],
      ['a character set', `${esc}(B`],
      ['escapes of one character', `${esc}7${esc}8${esc}=${esc}c`],
      ['NUL', '\0'],
      ['carriage return', '\r'],
      ['backspace', '\b'],
      ['shifts, bell and DEL', '\u000E\u000F\u0007\u007F'],
      ['NEL', '\u0085'],
      ['all in a row', `${esc}[0m\r${esc}]0;x\u0007\0${esc}(B\u009B1m`],
    ])('a secret with %s inside is still covered', (_, unseen) => {
      const value = 'hunter2-ßé'
      const between = Buffer.from(unseen)
      for (const at of [1, 4, 8]) {
        const [begin, end] = [value.slice(0, at), value.slice(at)]
        const text = Buffer.concat([Buffer.from(`<${begin}`), between, Buffer.from(`${end}>`)])
        expect(masked(value, text, piece)).toBe('<[secure]>')
      }
      const whole = Array.from(value, (sign) => Buffer.concat([Buffer.from(sign), between]))
      const text = Buffer.concat([Buffer.from('<'), ...whole, Buffer.from('>')])
      const shown = masked(value, text, piece)
      expect(shown).toMatch(/^<\[secure\].*>$/s)
      // At most the unseen characters after the last character are left.
      expect(shown.length).toBeLessThanOrEqual('<[secure]>'.length + between.length)
    })
  },
)

test('a secret with overstruck or erased characters in it is covered', () => {
  const value = 'hunter2-ßé'
  const bold = Array.from(value, (sign) => `${sign}\b${sign}`).join('')
  const underlined = Array.from(value, (sign) => `_\b${sign}`).join('')
  expect(masked(value, `<${bold}>`)).toBe('<h\b[secure]>')
  expect(masked(value, `<${underlined}>`)).toBe('<_\b[secure]>')
  expect(masked(value, '<hunXY\b \b\b \bter2-ü\bßé>')).toBe('<[secure]>')
})

const longToken = `ghs_12345678_${['eyJhbGciOiJSUzI1NiJ9', 'a1-_'.repeat(60), 'Zz9_'.repeat(62)].join('.')}`

test.each([
  ['unencoded', longToken],
  ['in an address', `https://x-access-token:${longToken}@example.org/a.git`],
  ['in JSON', JSON.stringify({ token: longToken })],
  ['in a URL', encodeURIComponent(longToken)],
  ['in base64', Buffer.from(`x-access-token:${longToken}`).toString('base64')],
  ['in base64 of UTF-16', Buffer.from(longToken, 'utf16le').toString('base64')],
  ['in hex', Buffer.from(longToken).toString('hex')],
  ['in hex of UTF-16', Buffer.from(longToken, 'utf16le').swap16().toString('hex')],
  ['in UTF-16', Buffer.from(longToken, 'utf16le')],
  ['in quoted-printable', longToken.replaceAll(/.{70}/g, '$&=\r\n')],
  ['in quoted-printable with plain line breaks', longToken.replaceAll(/.{70}/g, '$&=\n')],
])('a token of the app, of more than 500 characters with dots, is covered %s', (_, text) => {
  expect(longToken.length).toBeGreaterThan(500)
  for (const piece of [7, 64, 5000]) {
    const shown = masked(longToken, text, piece)
    expect(shown).toContain('[secure]')
    expect(shown.length).toBeLessThan(100)
  }
})

test('zeros after the beginning of a secret are not held back', () => {
  const masker = createMasker(maskTexts(['hunter2']))
  masker.push(Buffer.from(Buffer.from('hunt').toString('base64').replaceAll('=', '')))
  const shown = masker.push(Buffer.alloc(10_000, 'A'))
  expect(shown.length).toBeGreaterThan(9_000)
})
