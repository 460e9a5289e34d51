import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { keepBody, openBody } from '../../src/secrets/webhook-body.ts'
import { testSealer } from '../support/context.ts'

const sizes = [
  ['a few bytes', 10],
  ['some kilobytes', 9000],
  ['more than is packed at once', 90_000],
] as const

/** Each piece is different, and the end of the body is recognizable. */
function bodyOf(size: number): Buffer {
  const noise = randomBytes(size / 4).toString('hex')
  return Buffer.from(JSON.stringify({ noise, text: 'ü'.repeat(size / 4), word: 'sesame' }))
}

describe.each(sizes)('a body of %s', (_what, size) => {
  test.each([true, false])('is opened unchanged (private: %s)', async (sealed) => {
    const json = bodyOf(size)
    const kept = await keepBody(testSealer, { guid: 'a', sealed }, json)
    expect(kept.sealed).toBe(sealed)
    expect(await openBody(testSealer, { guid: 'a', ...kept })).toBe(json.toString())
  })

  test('cannot be read while it is sealed, or opened as another webhook', async () => {
    const kept = await keepBody(testSealer, { guid: 'a', sealed: true }, bodyOf(size))
    expect(kept.body.includes('sesame')).toBe(false)
    await expect(openBody(testSealer, { guid: 'b', ...kept })).rejects.toThrow(
      'unable to authenticate',
    )
  })
})

test('a body with repetitions is compressed, sealed or not', async () => {
  const json = Buffer.from(JSON.stringify({ message: 'Say hello. '.repeat(500) }))
  for (const sealed of [true, false]) {
    const { body, packed } = await keepBody(testSealer, { guid: 'a', sealed }, json)
    expect(packed).toBe(true)
    expect(body.length).toBeLessThan(json.length / 10)
  }
})
