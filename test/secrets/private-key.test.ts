import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readPrivateKey } from '../../src/secrets/private-key.ts'
import { fingerprintOf, sshPublicKey } from '../../src/secrets/ssh-public-key.ts'
import { needs } from '../support/needs.ts'
import { generatedKey, md5Fingerprint, sshKeygen } from '../support/ssh-keygen.ts'

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const pkcs1 = { type: 'pkcs1', format: 'pem' } as const
const sec1 = { type: 'sec1', format: 'pem' } as const
const locked = { cipher: 'aes-256-cbc', passphrase: 'secret' } as const

const pem = expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/) as unknown as string

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey

describe('a key that ssh-keygen makes', needs(sshKeygen), () => {
  test.each([
    ['-t', 'rsa', '-b', '1024'],
    ['-t', 'rsa', '-b', '2048', '-m', 'PEM'],
    ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8'],
    ['-t', 'ed25519'],
    ['-t', 'ecdsa', '-b', '256'],
    ['-t', 'ecdsa', '-b', '384', '-m', 'PEM'],
    ['-t', 'ecdsa', '-b', '521', '-m', 'PKCS8'],
    ['-t', 'ecdsa', '-b', '521'],
  ])('is read, with the fingerprint that it shows: %s %s …', (...options) => {
    const key = generatedKey(...options)
    const fingerprint = md5Fingerprint(key)
    const read = readPrivateKey(key)
    expect(read).toEqual({ text: key, fingerprint, public_key: pem })
    if (typeof read === 'string') return
    const shown = sshPublicKey(createPublicKey(read.public_key ?? ''))
    expect(shown && fingerprintOf(shown)).toBe(fingerprint)
  })

  test.each([
    ['-t', 'rsa'],
    ['-t', 'rsa', '-m', 'PEM'],
    ['-t', 'rsa', '-m', 'PKCS8'],
    ['-t', 'ed25519'],
    ['-t', 'ed25519', '-Z', 'aes256-gcm@openssh.com'],
  ])('with a passphrase is recognised: %s %s …', (...options) => {
    const key = generatedKey('-N', 'secret', ...options)
    expect(readPrivateKey(key)).toBe('key_with_a_passphrase')
  })

  test('however its lines end', () => {
    const key = generatedKey('-t', 'ed25519')
    const read = { text: key, fingerprint: md5Fingerprint(key), public_key: pem }
    expect(readPrivateKey(key.trim())).toEqual(read)
    expect(readPrivateKey(`\n ${key}\n\n`)).toEqual(read)
    expect(readPrivateKey(key.replaceAll('\n', '\r\n'))).toEqual(read)
  })

  test('is none with what SSH does not read, though Node.js would', () => {
    const [begin = '', ...lines] = generatedKey('-t', 'ed25519').trim().split('\n')
    for (const line of ['!!!', '....', '-_']) {
      expect(readPrivateKey([begin, line, ...lines].join('\n'))).toBe('not_a_private_key')
    }
  })

  test('is none when a part of it is missing or another one', () => {
    const key = generatedKey('-t', 'ed25519')
    const [begin = '', ...lines] = key.trim().split('\n')
    const end = lines.pop() ?? ''
    const bytes = Buffer.from(lines.join(''), 'base64')
    const written = (content: Buffer) => `${begin}\n${content.toString('base64')}\n${end}\n`
    expect(readPrivateKey(written(bytes))).toMatchObject({ text: written(bytes) })
    for (let length = 0; length < bytes.length; length += 1) {
      expect(readPrivateKey(written(bytes.subarray(0, length)))).toBe('not_a_private_key')
    }
    const other = Buffer.from(bytes)
    // Within the public key, which then is that of another one.
    other[90] = (other[90] ?? 0) ^ 1
    expect(readPrivateKey(written(other))).toBe('not_a_private_key')
  })
})

test.each([
  ['RSA in PKCS #8', () => rsa().export(pkcs8)],
  ['RSA in PKCS #1', () => rsa().export(pkcs1)],
  ['P-256', () => ec('prime256v1').export(sec1)],
  ['P-384', () => ec('secp384r1').export(pkcs8)],
  ['Ed25519', () => generateKeyPairSync('ed25519').privateKey.export(pkcs8)],
])('a key of %s is read', (_kind, make) => {
  const text = String(make())
  expect(readPrivateKey(text)).toEqual({
    text,
    fingerprint: expect.stringMatching(/^[\da-f]{2}(?::[\da-f]{2}){15}$/) as unknown,
    public_key: createPublicKey(text).export({ type: 'spki', format: 'pem' }),
  })
})

test.each([
  ['PKCS #8', () => rsa().export({ ...pkcs8, ...locked })],
  ['PKCS #1', () => rsa().export({ ...pkcs1, ...locked })],
  ['SEC 1', () => ec('prime256v1').export({ ...sec1, ...locked })],
])('a key with a passphrase in %s is recognised', (_kind, make) => {
  expect(readPrivateKey(String(make()))).toBe('key_with_a_passphrase')
})

const armored = (label: string, content: string) =>
  `-----BEGIN ${label}-----\n${content}\n-----END ${label}-----\n`
const lengths = '00000004'

test.each([
  '',
  'a key',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA== a public one',
  armored('RSA PRIVATE KEY', 'AAAA'),
  armored('RSA PRIVATE KEY', ''),
  armored('PRIVATE KEY', 'not base64'),
  armored('OPENSSH PRIVATE KEY', 'AAAA'),
  armored('OPENSSH PRIVATE KEY', Buffer.from('openssh-key-v1\0').toString('base64')),
  armored(
    'OPENSSH PRIVATE KEY',
    Buffer.from(`openssh-key-v1\0${'\u{ff}'.repeat(40)}`, 'latin1').toString('base64'),
  ),
  armored(
    'OPENSSH PRIVATE KEY',
    Buffer.concat([
      Buffer.from('openssh-key-v1\0'),
      Buffer.from(lengths.repeat(9), 'hex'),
    ]).toString('base64'),
  ),
  armored('CERTIFICATE', 'AAAA'),
  '-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----',
])('%j is not a private key', (text) => {
  expect(readPrivateKey(text)).toBe('not_a_private_key')
})

test.each([
  [
    'a public key',
    () => generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }),
  ],
  ['a key that cannot sign', () => generateKeyPairSync('x25519').privateKey.export(pkcs8)],
  ['a key on a curve that SSH does not have', () => ec('secp256k1').export(pkcs8)],
  ['several keys', () => `${String(rsa().export(pkcs8))}${String(rsa().export(pkcs8))}`],
])('%s is not one that jobs can use', (_kind, make) => {
  expect(readPrivateKey(String(make()))).toBe('not_a_private_key')
})
