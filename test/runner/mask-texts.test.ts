import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMasked } from '../../src/domain/log/masked.ts'
import { maskTexts } from '../../src/runner/masking/job-masker.ts'
import { createMasker } from '../../src/runner/masking/masker.ts'

function masked(secret: string, text: string): string {
  const masker = createMasker(maskTexts([secret]))
  return Buffer.concat([masker.push(Buffer.from(text)), masker.end()]).toString()
}

// Each of these once took seconds, during which nothing else ran.
test.each([' ', '\t', '\r'])('a value with many %j in it is masked', (blank) => {
  const secret = `begin${blank.repeat(49_000)}end`
  const texts = maskTexts([secret]).map(String)
  expect(texts).toContain(secret)
  expect(masked(secret, `<${secret}>`)).not.toContain('begin')
})

test.each([
  ['abc', false],
  ['abcd', true],
  ['true', false],
  ['FALSE', false],
  ['null', false],
  ['0999', false],
  ['999.5', false],
  ['-100', false],
  ['1000', true],
  ['truely', true],
  ['v100', true],
])('whether "%s" is masked: %s', (value, answer) => {
  expect(isMasked(value)).toBe(answer)
})

test('values that are too short or too common are not masked', () => {
  expect(maskTexts(['', 'abc', 'true', '42'])).toEqual([])
})

test('each line of a secret is covered on its own, unless it is too short', () => {
  const key = '-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\r\nab\nqqqqqqq==\n-----END KEY-----\n'
  expect(masked(key, 'MIIEpAIBAAKCAQEA\r\nab\r\nqqqqqqq==\r\n')).toBe(
    '[secure]\r\nab\r\n[secure]\r\n',
  )
  expect(masked('  hunter2\n', 'it is hunter2')).toBe('it is [secure]')
})

describe('a secret written by a program', () => {
  const secret = `p4ss "w'o$rd\\/ü+&?x!*()\`#`

  test.each([
    ['encodeURIComponent', encodeURIComponent(secret)],
    ['URLSearchParams', new URLSearchParams({ p: secret }).toString().slice(2)],
    [
      'lower-case percent codes',
      encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
    ],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['base64', Buffer.from(secret).toString('base64').replaceAll('=', '')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['shell quotes', `p4ss "w'\\''o$rd\\/ü+&?x!*()\`#`],
    ['double quotes', `p4ss \\"w'o\\$rd\\\\/ü+&?x!*()\\\`#`],
  ])('is covered in the form of %s', (_, written) => {
    expect(masked(secret, `<${written}>`)).toBe('<[secure]>')
  })

  test.each([
    ['set -x', 'set -x; : "$1"'],
    ['printf %q', 'printf %q "$1"'],
    ['declare -p', 'x=$1; declare -p x'],
    ['base64', 'printf %s "$1" | base64 -w0'],
  ])('is covered as %s prints it', (_, script) => {
    const text = execFileSync('bash', ['-c', `exec 2>&1; ${script}`, 'bash', secret], {
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(masked(secret, text)).toContain('[secure]')
    expect(masked(secret, text)).not.toContain('p4ss')
    expect(masked(secret, text)).not.toContain('x!')
  })

  test('is covered in base64 of a longer text, except for its outermost characters', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 20 }),
        fc.string({ maxLength: 6 }),
        fc.string({ maxLength: 6 }),
        (token, before, after) => {
          fc.pre(isMasked(token))
          const text = Buffer.from(before + token + after).toString('base64')
          expect(masked(token, text)).toContain('[secure]')
        },
      ),
    )
    const header = Buffer.from('x-access-token:ghs_0123456789abcdef').toString('base64')
    expect(masked('ghs_0123456789abcdef', header)).toMatch(/^.{20}\[secure\].?=*$/)
  })
})

describe('a long secret', () => {
  const secret = Array.from({ length: 12 }, (_, index) => `p4rt-${index}-of?it>~`).join('')
  const inBash = (script: string) =>
    execFileSync('bash', ['-c', script, 'bash', secret], { encoding: 'utf8' })

  test.each([
    ['base64', 'printf %s "$1" | base64'],
    ['base64 with other columns', 'printf %s "$1" | base64 -w 10'],
    ['base64url', 'printf %s "$1" | base64 | tr +/ -_'],
    ['base64 in lines that are indented', 'printf %s "$1" | base64 | sed "s/^/    /"'],
    ['base64 with carriage returns', 'printf %s "$1" | base64 | sed "s/$/\\r/"'],
    ['xxd -p', 'printf %s "$1" | od -An -v -tx1 | tr -d " "'],
    ['od', 'printf %s "$1" | od -An -v -tx1'],
    ['hex with colons', 'printf %s "$1" | od -An -v -tx1 | tr a-f A-F | tr " " :'],
  ])('is covered in all lines that %s prints', (_, script) => {
    expect(masked(secret, inBash(script)).replaceAll(/[\s:]/g, '')).toMatch(/^\[secure\]=*$/)
  })

  test('is covered in base64 of a longer text, with any line width and in any pieces', () => {
    const text = fc.string({ maxLength: 70 })
    const outer = (given: string) => Math.ceil((Buffer.byteLength(given) * 4) / 3) + 4
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 5, max: 90 }),
        fc.nat(60),
        (before, after, ...cut) => {
          const [width, piece] = cut
          const encoded = Buffer.from(before + secret + after).toString('base64')
          const lines = encoded.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\r\n')
          const masker = createMasker(maskTexts([secret]))
          const out = []
          for (let at = 0; at < lines.length; at += piece + 1) {
            out.push(masker.push(Buffer.from(lines.slice(at, at + piece + 1))))
          }
          const shown = Buffer.concat([...out, masker.end()]).toString()
          expect(shown).toContain('[secure]')
          const rest = shown.replaceAll(/\[secure\]|\s/g, '')
          expect(rest.length).toBeLessThanOrEqual(outer(before) + outer(after))
        },
      ),
    )
  })

  test('is covered line by line in each form', () => {
    const value = `first line ${secret}\nsecond "line" of it`
    for (const line of value.split('\n')) {
      for (const encoding of ['utf8', 'base64url', 'hex'] as const) {
        expect(masked(value, `<${Buffer.from(line).toString(encoding)}>`)).toBe('<[secure]>')
      }
      expect(masked(value, `<${encodeURIComponent(line)}>`)).toBe('<[secure]>')
    }
  })

  test('does not hold back the end of a line that could begin an encoded form', () => {
    const masker = createMasker(maskTexts([secret]))
    const first = Buffer.from(secret).toString('base64').charAt(0)
    expect(masker.push(Buffer.from(`say ${first}\r\n`)).toString()).toBe(`say ${first}\r\n`)
  })
})

test('a value that is not valid text does not fail the job', () => {
  expect(masked('half \ud83d pair', 'half \ud83d pair')).toBe('[secure]')
})
