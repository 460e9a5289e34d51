import { constants, publicEncrypt, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { keyPairMaker } from '../../src/secrets/key-pair.ts'
import { decrypter, encryptSecure, mostEncrypted } from '../../src/secrets/secure-value.ts'
import { needs } from '../support/needs.ts'
import { encryptedByOpenssl, openssl } from '../support/openssl.ts'

const make = keyPairMaker(1024)
const [own, other] = [await make('a'), await make('b')]
const decrypt = decrypter(own.private_key)

/** Encrypts a block as it is, including its padding. */
function rawBlock(bytes: Buffer): string {
  const key = { key: own.public_key, padding: constants.RSA_NO_PADDING }
  return publicEncrypt(key, bytes).toString('base64')
}

/** A text after a padding of this form. */
function block(begin: number[], padding: number, text: Buffer): Buffer {
  const zero = Buffer.from([0])
  const filled = Buffer.alloc(128 - begin.length - 1 - text.length, 7)
  const cut = filled.subarray(0, padding < 0 ? filled.length : padding)
  const rest = Buffer.alloc(filled.length - cut.length)
  return Buffer.concat([Buffer.from(begin), cut, zero, rest, text])
}

const texts = [
  'TOKEN=abc',
  'A=1 B="two words"',
  'ünïcödé ✓',
  'x',
  '{"a":\n\t"b"}\r\n',
  'y'.repeat(117),
]

describe('a value is decrypted', () => {
  test.each(texts)('that OpenSSL encrypted: %j', needs(openssl), (text) => {
    expect(decrypt(encryptedByOpenssl(own.public_key, text))).toBe(text)
  })

  test.each(texts)('that the command encrypted: %j', (text) => {
    expect(decrypt(encryptSecure(own.public_key, text))).toBe(text)
  })

  test('whose base64 has line breaks', () => {
    const lines = encryptSecure(own.public_key, 'A=1').replaceAll(/.{60}/g, '$&\n')
    expect(decrypt(lines)).toBe('A=1')
  })

  test('of up to 501 bytes, with keys of 4,096 bits', async () => {
    const pair = await keyPairMaker(4096)('a')
    expect(mostEncrypted(pair.public_key)).toBe(501)
    const text = 'z'.repeat(501)
    expect(decrypter(pair.private_key)(encryptSecure(pair.public_key, text))).toBe(text)
  }, 30_000)
})

describe('a value is not decrypted', () => {
  test('that was encrypted with another key, whatever its content', () => {
    const found = Array.from({ length: 300 }, (_, index) =>
      decrypt(encryptSecure(other.public_key, `TOKEN=${index}`)),
    )
    expect(found.filter((text) => text !== undefined)).toEqual([])
  })

  test('that was damaged', () => {
    const bytes = Buffer.from(encryptSecure(own.public_key, 'TOKEN=abc'), 'base64')
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      expect(decrypt(damaged.toString('base64'))).toBeUndefined()
    }
  })

  test.each([
    ['is empty', ''],
    ['is no base64', 'not encrypted'],
    ['is too short', randomBytes(127).toString('base64')],
    ['is too long', randomBytes(129).toString('base64')],
    ['is a number above the modulus', Buffer.alloc(128, 255).toString('base64')],
  ])('that %s', (_, value) => {
    expect(decrypt(value)).toBeUndefined()
  })

  test.each([
    ['of another kind', block([0, 1], -1, Buffer.from('A=1'))],
    ['of less than eight bytes', block([0, 2], 7, Buffer.from('A=1'))],
    ['without an end', Buffer.concat([Buffer.from([0, 2]), Buffer.alloc(126, 7)])],
  ])('whose padding is one %s', (_, bytes) => {
    expect(decrypt(rawBlock(bytes))).toBeUndefined()
  })

  test.each([
    ['no UTF-8', Buffer.from([65, 61, 0xff])],
    ['control characters', Buffer.from('A=\u001B[2J')],
    ['a NUL', Buffer.from('A=1\0B')],
  ])('whose text contains %s', (_, text) => {
    expect(decrypt(rawBlock(block([0, 2], -1, text)))).toBeUndefined()
  })

  test('unlike a well-formed block, which proves that these tests can tell the difference', () => {
    expect(decrypt(rawBlock(block([0, 2], -1, Buffer.from('A=1'))))).toBe('A=1')
    expect(decrypt(rawBlock(block([0, 2], 8, Buffer.from('A=1'))))).toBeUndefined()
  })
})
