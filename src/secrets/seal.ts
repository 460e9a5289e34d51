import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** What a secret belongs to. A sealed value moved to another record is refused. */
export interface Belonging {
  type: string
  id: number | string
}

export interface Sealer {
  seal(belonging: Belonging, plain: string | Buffer): Buffer
  /** Throws when the value was not sealed with this key for this very record. */
  open(belonging: Belonging, sealed: Buffer): Buffer
  sealText(belonging: Belonging, plain: string): string
  openText(belonging: Belonging, sealed: string): string
  /** A key for another purpose, the same in every process that has this master key. */
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
    seal(belonging, plain) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, masterKey, nonce).setAAD(associated(belonging))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([keyId, nonce, cipher.getAuthTag(), text])
    },

    open(belonging, sealed) {
      if (!sealed.subarray(0, 4).equals(keyId)) {
        throw new Error(`a secret of ${belonging.type} ${belonging.id} was sealed with another key`)
      }
      const nonce = sealed.subarray(4, 4 + nonceBytes)
      const tag = sealed.subarray(4 + nonceBytes, 4 + nonceBytes + tagBytes)
      const decipher = createDecipheriv(algorithm, masterKey, nonce, { authTagLength: tagBytes })
        .setAAD(associated(belonging))
        .setAuthTag(tag)
      const text = decipher.update(sealed.subarray(4 + nonceBytes + tagBytes))
      return Buffer.concat([text, decipher.final()])
    },

    sealText: (belonging, plain) => sealer.seal(belonging, plain).toString('base64'),
    openText: (belonging, sealed) =>
      sealer.open(belonging, Buffer.from(sealed, 'base64')).toString('utf8'),

    derive: (purpose) =>
      Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32)).toString('hex'),
  }
  return sealer
}

function associated({ type, id }: Belonging): Buffer {
  return Buffer.from(`${type}:${id}`)
}
