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
  seal(record: RecordRef, plain: string | Buffer): Buffer
  /** Throws when the value was not sealed with this key for this very record. */
  open(record: RecordRef, sealed: Buffer): Buffer
  sealText(record: RecordRef, plain: string): string
  openText(record: RecordRef, sealed: string): string
  /** A key for another purpose, the same in every process with this master key. */
  derive(purpose: string): string
}

/**
 * Seals secrets at rest with AES-256-GCM. A sealed value is: key id (4 bytes), nonce, tag, cipher
 * text; the record it belongs to is authenticated with it.
 */
export function createSealer(masterKey: Buffer): Sealer {
  if (masterKey.length !== 32) throw new Error('the master key must have 32 bytes')
  const keyId = createHash('sha256').update('key id').update(masterKey).digest().subarray(0, 4)

  const sealer: Sealer = {
    seal(record, plain) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, masterKey, nonce).setAAD(associated(record))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([keyId, nonce, cipher.getAuthTag(), text])
    },

    open(record, sealed) {
      if (!sealed.subarray(0, 4).equals(keyId)) {
        throw new Error(`a secret of ${record.type} ${record.id} was sealed with another key`)
      }
      const nonce = sealed.subarray(4, 4 + nonceBytes)
      const tag = sealed.subarray(4 + nonceBytes, 4 + nonceBytes + tagBytes)
      const decipher = createDecipheriv(algorithm, masterKey, nonce, { authTagLength: tagBytes })
        .setAAD(associated(record))
        .setAuthTag(tag)
      const text = decipher.update(sealed.subarray(4 + nonceBytes + tagBytes))
      return Buffer.concat([text, decipher.final()])
    },

    sealText: (record, plain) => sealer.seal(record, plain).toString('base64'),
    openText: (record, sealed) =>
      sealer.open(record, Buffer.from(sealed, 'base64')).toString('utf8'),

    derive: (purpose) =>
      Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32)).toString('hex'),
  }
  return sealer
}

function associated({ type, id }: RecordRef): Buffer {
  return Buffer.from(`${type}:${id}`)
}
