import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMasked, maskForms } from '../../src/runner/mask-forms.ts'
import { createMasker } from '../../src/runner/masker.ts'

function masked(secret: string, text: string): string {
  const masker = createMasker(maskForms([secret]))
  return Buffer.concat([masker.push(Buffer.from(text)), masker.end()]).toString()
}

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

test('what is not masked has no forms', () => {
  expect(maskForms(['', 'abc', 'true', '42'])).toEqual([])
})

test('each line of a secret is covered by itself, unless it is too short', () => {
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
  ])('is covered as %s has it', (_, written) => {
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

  test('is covered inside a longer text in base64, but for its outermost signs', () => {
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

test('a value that is no text at all is no reason to fail', () => {
  expect(masked('half \ud83d pair', 'half \ud83d pair')).toBe('[secure]')
})
