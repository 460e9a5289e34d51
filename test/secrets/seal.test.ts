import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealer } from '../../src/secrets/seal.ts'

const sealer = createSealer(Buffer.alloc(32, 1))
const mine = { type: 'env_var', id: 7 }

test('any sealed text can be opened again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (plain) => {
      expect(sealer.openText(mine, sealer.sealText(mine, plain))).toBe(plain)
    }),
  )
})

test('a sealed value reveals nothing of its content, and differs each time', () => {
  const sealed = sealer.seal(mine, 'correct horse battery staple')
  expect(sealed.toString('latin1')).not.toContain('horse')
  expect(sealer.seal(mine, 'correct horse battery staple')).not.toEqual(sealed)
})

test('a value moved to another record is refused', () => {
  const sealed = sealer.seal(mine, 'secret')
  expect(() => sealer.open({ ...mine, id: 8 }, sealed)).toThrow(/authenticate/)
  expect(() => sealer.open({ ...mine, type: 'ssh_key' }, sealed)).toThrow(/authenticate/)
})

test('a value with one changed bit is refused, wherever the bit is', () => {
  const sealed = sealer.seal(mine, 'secret')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => sealer.open(mine, changed)).toThrow(/authenticate|another key/)
  }
})

test('opening with a different key reports the different key', () => {
  const other = createSealer(Buffer.alloc(32, 2))
  expect(() => other.open(mine, sealer.seal(mine, 'secret'))).toThrow(
    'a secret of env_var 7 was sealed with another key',
  )
})

test('keys derived for different purposes are stable, and differ', () => {
  const again = createSealer(Buffer.alloc(32, 1))
  expect(sealer.derive('webhooks')).toBe(again.derive('webhooks'))
  expect(sealer.derive('webhooks')).not.toBe(sealer.derive('streaming'))
})

test('any of several keys opens its values, and the first key seals', () => {
  const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const both = createSealer(newer, older)
  expect(both.openText(mine, sealer.sealText(mine, 'old'))).toBe('old')
  const sealed = both.seal(mine, 'new')
  expect(createSealer(newer).open(mine, sealed).toString()).toBe('new')
  expect(() => sealer.open(mine, sealed)).toThrow('was sealed with another key')
  expect(sealed.subarray(0, 4).toString('hex')).toBe(both.keyIds[0])
  expect(both.keyIds).toEqual([...createSealer(newer).keyIds, ...sealer.keyIds])
  expect(both.fingerprints).toEqual([...createSealer(newer).fingerprints, ...sealer.fingerprints])
  expect(both.derive('purpose')).toBe(createSealer(newer).derive('purpose'))
})
