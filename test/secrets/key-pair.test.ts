import { createPrivateKey, createPublicKey, privateEncrypt, publicDecrypt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keyPairMaker } from '../../src/secrets/key-pair.ts'
import { needs } from '../support/needs.ts'
import { md5Fingerprint, openSshForm, sshKeygen } from '../support/ssh-keygen.ts'

test('the event loop keeps running while a key pair is generated', async () => {
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

test('the keys of a pair are in the PEM forms that clients can read', async () => {
  const { public_key, private_key } = await keyPairMaker(1024)('a')
  expect(public_key).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^-]+\n-----END PUBLIC KEY-----\n$/)
  expect(private_key).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^-]+\n-----END PRIVATE KEY-----\n$/)
})

test('the fingerprint of a pair is the one that ssh-keygen prints', needs(sshKeygen), async () => {
  const { public_key, fingerprint } = await keyPairMaker(1024)('a')
  expect(fingerprint).toBe(md5Fingerprint(openSshForm(public_key)))
})

test('key pairs are generated one after the other, even after a failure', async () => {
  const make = keyPairMaker(1024)
  const order: number[] = []
  await Promise.all([1, 2, 3].map((number) => make(`${number}`).then(() => order.push(number))))
  expect(order).toEqual([1, 2, 3])
  const impossible = keyPairMaker(1)
  await expect(impossible('a')).rejects.toThrow(/key/i)
  await expect(impossible('a')).rejects.toThrow(/key/i)
})

test('the number of waiting key pairs is limited', async () => {
  const make = keyPairMaker(512)
  const begun = Array.from({ length: 20 }, (_, index) => make(`${index}`))
  await expect(make('20')).rejects.toMatchObject({
    kind: 'too_many_requests',
    details: { retry_after: 30 },
  })
  expect(new Set((await Promise.all(begun)).map(({ fingerprint }) => fingerprint)).size).toBe(20)
  expect(await make('20')).toHaveProperty('fingerprint')
})

test('concurrent requests under one name share a place in the queue and get the same pair', async () => {
  const make = keyPairMaker(512)
  const other = make('b')
  const pairs = await Promise.all(Array.from({ length: 30 }, () => make('a')))
  expect(new Set(pairs.map(({ fingerprint }) => fingerprint)).size).toBe(1)
  const [{ fingerprint } = await other] = pairs
  expect((await other).fingerprint).not.toBe(fingerprint)
  expect((await make('a')).fingerprint).not.toBe(fingerprint)
})
