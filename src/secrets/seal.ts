import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** The record that a secret belongs to. A sealed value moved to another record is rejected. */
export interface RecordRef {
  type: string
  id: number | string
}

export interface Sealer {
  /** Prefixes of sealed values by key, as hex digits; the prefix of the key that seals is first. */
  readonly keyIds: readonly [string, ...string[]]
  /** Values that tell the keys apart without revealing them; the value of the key that seals is first. */
  readonly fingerprints: readonly string[]
  seal(record: RecordRef, plain: string | Buffer): Buffer
  /** Throws when the value was not sealed with one of these keys for this very record. */
  open(record: RecordRef, sealed: Buffer): Buffer
  sealText(record: RecordRef, plain: string): string
  openText(record: RecordRef, sealed: string): string
  /** A key for another purpose, the same in every process in which this master key seals. */
  derive(purpose: string): string
  /** The derived keys of all master keys: derived keys of earlier master keys may still be in use. */
  deriveAll(purpose: string): string[]
}

/**
 * Seals secrets at rest with AES-256-GCM. A sealed value is: key id (4 bytes), nonce, tag, cipher text;
 * the record it belongs to is authenticated with it. Values sealed with one of `others` can be opened
 * too, so that the key can be changed.
 */
export function createSealer(masterKey: Buffer, ...others: readonly Buffer[]): Sealer {
  const keys = [masterKey, ...others]
  if (keys.some((key) => key.length !== 32)) throw new Error('a master key must have 32 bytes')
  const keyId = idOf(masterKey)
  const hex = (key: Buffer) => idOf(key).toString('hex')

  const sealer: Sealer = {
    keyIds: [hex(masterKey), ...others.map(hex)],
    // Stored in each database, so this derivation must never change.
    fingerprints: keys.map((key) => derived(key, 'fingerprint of the master key').slice(0, 16)),

    seal(record, plain) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, masterKey, nonce).setAAD(associated(record))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([keyId, nonce, cipher.getAuthTag(), text])
    },

    open(record, sealed) {
      const key = keys.find((each) => sealed.subarray(0, 4).equals(idOf(each)))
      if (!key) {
        throw new Error(`a secret of ${record.type} ${record.id} was sealed with another key`)
      }
      const nonce = sealed.subarray(4, 4 + nonceBytes)
      const tag = sealed.subarray(4 + nonceBytes, 4 + nonceBytes + tagBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
        .setAAD(associated(record))
        .setAuthTag(tag)
      const text = decipher.update(sealed.subarray(4 + nonceBytes + tagBytes))
      return Buffer.concat([text, decipher.final()])
    },

    sealText: (record, plain) => sealer.seal(record, plain).toString('base64'),
    openText: (record, sealed) =>
      sealer.open(record, Buffer.from(sealed, 'base64')).toString('utf8'),

    derive: (purpose) => derived(masterKey, purpose),
    deriveAll: (purpose) => keys.map((key) => derived(key, purpose)),
  }
  return sealer
}

function idOf(key: Buffer): Buffer {
  return createHash('sha256').update('key id').update(key).digest().subarray(0, 4)
}

function derived(key: Buffer, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32)).toString('hex')
}

function associated({ type, id }: RecordRef): Buffer {
  return Buffer.from(`${type}:${id}`)
}
