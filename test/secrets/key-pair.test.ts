import { createPrivateKey, createPublicKey, privateEncrypt, publicDecrypt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keyPairMaker } from '../../src/secrets/key-pair.ts'
import { needs } from '../support/needs.ts'
import { md5Fingerprint, openSshForm, sshKeygen } from '../support/ssh-keygen.ts'

test('a key pair is made while others go on', async () => {
  let turns = 0
  const made = keyPairMaker(4096)('a')
  const notYet = Symbol('not yet')
  while ((await Promise.race([made, setImmediate(notYet)])) === notYet) turns += 1
  const { public_key, private_key } = await made
  expect(turns).toBeGreaterThan(10)
  expect(createPublicKey(public_key).asymmetricKeyDetails).toMatchObject({ modulusLength: 4096 })
  const text = Buffer.from('a secret')
  const sealed = privateEncrypt(createPrivateKey(private_key), text)
  expect(publicDecrypt(createPublicKey(public_key), sealed)).toEqual(text)
})

test('its texts are those that clients read', async () => {
  const { public_key, private_key } = await keyPairMaker(1024)('a')
  expect(public_key).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^-]+\n-----END PUBLIC KEY-----\n$/)
  expect(private_key).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^-]+\n-----END PRIVATE KEY-----\n$/)
})

test('its fingerprint is that of ssh-keygen', needs(sshKeygen), async () => {
  const { public_key, fingerprint } = await keyPairMaker(1024)('a')
  expect(fingerprint).toBe(md5Fingerprint(openSshForm(public_key)))
})

test('one is made after the other, also after one that failed', async () => {
  const make = keyPairMaker(1024)
  const order: number[] = []
  await Promise.all([1, 2, 3].map((number) => make(`${number}`).then(() => order.push(number))))
  expect(order).toEqual([1, 2, 3])
  const impossible = keyPairMaker(1)
  await expect(impossible('a')).rejects.toThrow(/key/i)
  await expect(impossible('a')).rejects.toThrow(/key/i)
})

test('only so many are waited for at once', async () => {
  const make = keyPairMaker(512)
  const begun = Array.from({ length: 20 }, (_, index) => make(`${index}`))
  await expect(make('20')).rejects.toMatchObject({
    kind: 'too_many_requests',
    details: { retry_after: 30 },
  })
  expect(new Set((await Promise.all(begun)).map(({ fingerprint }) => fingerprint)).size).toBe(20)
  expect(await make('20')).toHaveProperty('fingerprint')
})

test('those of one name have one place to wait in, and get the same pair', async () => {
  const make = keyPairMaker(512)
  const other = make('b')
  const pairs = await Promise.all(Array.from({ length: 30 }, () => make('a')))
  expect(new Set(pairs.map(({ fingerprint }) => fingerprint)).size).toBe(1)
  const [{ fingerprint } = await other] = pairs
  expect((await other).fingerprint).not.toBe(fingerprint)
  expect((await make('a')).fingerprint).not.toBe(fingerprint)
})
