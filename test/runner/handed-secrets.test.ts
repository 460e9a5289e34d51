import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJobMasker } from '../../src/runner/masking/job-masker.ts'

const nonce = '0b9e7c1a-0000-4000-8000-000000000000'
const start = (name: string, lineBreak = '\n') =>
  `service_secret:start:${nonce}:${name}${lineBreak}`
const end = `service_secret:end:${nonce};`
const over = `service_secret:over:${nonce};`
const handed = (name: string, value: string) => `${start(name)}${value}${end}`

/** The masked output of a job. */
function shown(output: string | Buffer, { piece = 4096, secrets = ['hunter2'] } = {}): string {
  const masker = createJobMasker(secrets, nonce)
  const bytes = Buffer.from(output)
  const out = []
  for (let at = 0; at < bytes.length; at += piece) {
    out.push(masker.push(bytes.subarray(at, at + piece)))
  }
  return Buffer.concat([...out, masker.end()]).toString()
}

test.each([1, 5, 64, 4096])(
  'a value is covered from the moment it is handed over, in pieces of %i',
  (piece) => {
    const output = `a s3cret hunter2\n${handed('A', 's3cret')}b s3cret\n${over}c s3cret hunter2\n`
    expect(shown(output, { piece })).toBe('a s3cret [secure]\nb [secure]\nc [secure] [secure]\n')
  },
)

test('the masked output is the same however the output is cut', () => {
  const output =
    `one\r\n${start('A', '\r\n')}line one\r\nline two\r\n${end}service_secret:start:x\r\n` +
    `${handed('B', 'abc')}${over}line two hunter2 line one`
  const whole = shown(output)
  expect(whole).not.toMatch(/line|hunter2/)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (piece) => {
      expect(shown(output, { piece })).toBe(whole)
    }),
  )
})

test('a value of several lines is covered, however a terminal writes its line breaks', () => {
  const printed = 'first line\r\nsecond line\r\n'
  const value = start('KEY', '\r\n') + printed + end
  const base64 = Buffer.from('first line\nsecond line\n').toString('base64')
  expect(shown(`${value}${over}${printed}${base64}`)).toBe('[secure][secure]=')
})

test('values that are not masked are named in the log after the last value', () => {
  const output = handed('SHORT', 'abc') + handed('EMPTY', '') + handed('LINE', 'xyz\n') + over
  expect(shown(`${output}abc`)).toBe(
    '\u001B[33;1mNot masked in this log, because it is too short or too common: the secret value of ' +
      'SHORT, LINE. If it must stay secret, choose a longer one.\u001B[0m\r\nabc',
  )
})

describe('a marker that a job prints itself', () => {
  test.each([
    ['without the nonce', 'service_secret:start:1:A\nb\nservice_secret:end:1;'],
    ['with a part of the nonce', `service_secret:start:${nonce.slice(0, 8)}`],
    ['without a name', `${start('')}b`],
    ['with another name', `${start('1 2')}b`],
    ['with only the end', `${end} b`],
    ['after the end', `${over}${handed('B', 'another')}another`],
  ])('%s is text', (_, output) => {
    expect(shown(output)).toBe(output.replace(over, ''))
  })

  test('with a name that is used already does not uncover its value', () => {
    const output = `${handed('A', 's3cret')}${handed('A', 'other')}${over}${over}s3cret hunter2`
    expect(shown(output)).toBe(`${over}[secure] [secure]`)
  })

  test('without an end is not shown, nor is the text after it', () => {
    expect(shown(`a ${start('A')}the s3cret`)).toBe('a ')
    expect(shown(`a ${start('A')}the s3cret service_secret:end:${nonce}`)).toBe('a ')
  })

  test('with too long a value does not cover it, and the log names the variable', () => {
    const value = 'a long line\n'.repeat(5_000)
    const text = shown(`${handed('LONG', value)}${handed('B', 's3cret')}${over}s3cret a long line`)
    expect(text).toContain('are too long: what bash made of LONG.')
    expect(text).toMatch(/\[secure\] a long line$/)
  })

  test('beyond the maximum size and number covers no value, and the log names the variable', () => {
    const values = Array.from({ length: 20 }, (_, index) =>
      handed(`V${index}`, `${index} `.repeat(12_000).padEnd(30_000, 'x')),
    )
    const text = shown(values.join('') + over)
    expect(text).toContain('what bash made of V8, V9,')
    const many = Array.from({ length: 1200 }, (_, index) => handed(`V${index}`, `value ${index}`))
    const rest = shown(`${many.join('')}${over}\nvalue 999 value 1000`)
    expect(rest).toMatch(/V1000, V1001/)
    expect(rest).toMatch(/\n\[secure\] \[secure\]0$/)
  })
})

test('a marker is plain text in the log of a job that hands nothing over', () => {
  const masker = createJobMasker(['hunter2'], null)
  expect(masker.push(Buffer.from(`${handed('A', 'hunter2')} `)).toString()).toBe(
    handed('A', '[secure]') + ' ',
  )
})

test('the unfinished beginning of a value is dropped when the output is cut', () => {
  const masker = createJobMasker(['hunter2'], nonce)
  masker.push(Buffer.from(`${start('A')}half of it`))
  masker.drop()
  expect(Buffer.concat([masker.push(Buffer.from('hunter2 end')), masker.end()]).toString()).toBe(
    '[secure] end',
  )
})
